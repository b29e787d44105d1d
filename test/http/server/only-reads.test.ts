import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onlyReads } from '../../../src/http/server/only-reads.ts';
import { fakeRequest } from '../fake-request.ts';

const FORM = 'application/x-www-form-urlencoded';
const QUERY = 'application/sparql-query';
const UPDATE = 'application/sparql-update';

function reads(method: string, path: string, type?: string): boolean {
  return onlyReads(fakeRequest(method, path, { headers: { ...(type && { 'Content-Type': type }) } }));
}

test('safe methods and POST of programs only read', () => {
  for (const method of ['GET', 'HEAD', 'OPTIONS']) assert.equal(reads(method, '/context'), true);
  for (const method of ['PUT', 'DELETE', 'PATCH', 'POST', 'get'])
    assert.equal(reads(method, '/context'), false);
  assert.equal(reads('POST', '/ldpath/batch'), true);
});

test('POST of queries only reads', () => {
  for (const type of [FORM, QUERY, UPDATE, 'text/plain', undefined]) {
    assert.equal(reads('POST', '/query', type), true);
    assert.equal(reads('POST', '/query/', type), true);
    assert.equal(reads('POST', '/sparql/select', type), true);
    assert.equal(reads('POST', '/update', type), false);
    assert.equal(reads('POST', '/sparql/update', type), false);
    assert.equal(reads('PUT', '/sparql', type), false);
  }
  for (const path of ['/sparql', '/sparql/']) {
    assert.equal(reads('POST', path, QUERY), true);
    assert.equal(reads('POST', path, `${FORM}; charset=utf-8`), true);
    for (const type of [UPDATE, 'text/plain', `x ${QUERY}`, undefined]) {
      assert.equal(reads('POST', path, type), false);
    }
  }
  assert.equal(reads('POST', '/sparql/other', QUERY), false);
  assert.equal(reads('POST', '/queryx', QUERY), false);
});
