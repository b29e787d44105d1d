import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lackOf, type ObservedResponse } from './description.ts';

const problem = 'application/problem+json';

/** What the description lacks of the response to a GET. */
function lackOfGet(path: string, response: Partial<ObservedResponse>): string | undefined {
  const complete = { method: 'GET', url: path, status: 200, contentType: null, code: undefined, ...response };
  return lackOf(path, complete);
}

test('a documented response lacks nothing', () => {
  assert.equal(lackOfGet('/context', { contentType: 'text/turtle; charset=utf-8' }), undefined);
  assert.equal(lackOfGet('/context/a/b/', { contentType: 'application/trig' }), undefined);
  const missing = { status: 404, contentType: problem, code: 'graph-not-found' };
  assert.equal(lackOfGet('/context/a', missing), undefined);
  assert.equal(lackOfGet('/nowhere', { ...missing, code: 'not-found' }), undefined);
  assert.equal(lackOfGet('/context', { method: 'PATCH', status: 405 }), undefined);
});

test('a response with another status, code or media type is found', () => {
  assert.equal(lackOfGet('/context', { status: 202 }), 'the status 202');
  assert.equal(lackOfGet('/context', { contentType: 'image/png' }), 'the media type');
  const gone = { status: 404, contentType: problem, code: 'task-not-found' };
  assert.equal(lackOfGet('/context', gone), 'the error code');
  assert.equal(lackOfGet('/nowhere', {}), 'the operation');
});
