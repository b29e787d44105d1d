import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Result } from '../../../../../src/errors.ts';
import { failure } from '../../../../../src/errors.ts';
import { ldPathCheckRoutes } from '../../../../../src/http/routes/ldpath/check/routes.ts';
import { Router } from '../../../../../src/http/server/router.ts';
import type { Selection } from '../../../../../src/pool/evaluation-request.ts';
import { bodyJson, fakeRequest } from '../../../fake-request.ts';

function setUp(outcome: Result<Uint8Array> = { ok: true, value: Buffer.from('{"errors":[]}') }) {
  const asked: Selection[] = [];
  const service = {
    checkReport: (selection: Selection) => {
      asked.push(selection);
      return Promise.resolve(outcome);
    },
  };
  const router = new Router(ldPathCheckRoutes(service, 50));
  const post = async (query: string, body: string, headers = {}) =>
    await router.handle(fakeRequest('POST', `/ldpath/check?${query}`, { body, headers }));
  return { asked, post };
}

test('P-70: the body is a program, or a path with kind=path', async () => {
  const { asked, post } = setUp();
  const response = await post('ns_ex=http://e/', 'a = ex:b ;');
  assert.equal(response.status, 200);
  assert.deepEqual(bodyJson(response), { errors: [] });
  assert.equal((await post('kind=path', '')).status, 200);
  assert.equal((await post('kind=program', '')).status, 200);
  assert.deepEqual(
    asked.map(({ mode, source }) => [mode, source]),
    [
      ['program', 'a = ex:b ;'],
      ['path', ''],
      ['program', ''],
    ],
  );
  assert.equal(asked[0]!.namespaces!['ex'], 'http://e/');
});

test('P-70: only the request itself can be wrong', async () => {
  const { asked, post } = setUp();
  const code = async (query: string, body = '', headers = {}) =>
    (bodyJson(await post(query, body, headers)) as { code: string }).code;
  assert.equal(await code('kind=query'), 'bad-query');
  assert.equal(await code('ns_ex=nonsense'), 'bad-iri');
  assert.equal(await code('', 'x'.repeat(51)), 'too-large');
  assert.equal((await post('', '', { accept: 'text/html' })).status, 406);
  assert.equal(asked.length, 0);
  assert.equal((await setUp(failure('overloaded', 'Full.')).post('', '')).status, 503);
});
