import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ldPathFunctionRoutes } from '../../../../src/http/routes/ldpath/functions.ts';
import { Router } from '../../../../src/http/server/router.ts';
import type { LanguageDescription } from '../../../../src/pool/messages.ts';
import { LanguageService } from '../../../../src/services/ldpath/language.ts';
import { bodyJson, fakeRequest } from '../../fake-request.ts';

const concat = { name: 'concat', signature: 'fn:concat(nodes : NodeList) : String', description: 'Joins.' };
const first = { name: 'first', signature: 'fn:first()', description: 'Gives.' };
const description: LanguageDescription = { functions: [concat, first], types: [] };

function setUp(failures = 0) {
  let asked = 0;
  const describe = () => {
    asked++;
    const error = { code: 'internal', message: 'No.', details: {} } as const;
    return Promise.resolve(
      asked <= failures ? ({ ok: false, error } as const) : ({ ok: true, value: description } as const),
    );
  };
  const router = new Router(ldPathFunctionRoutes(new LanguageService({ describe })));
  const get = async (path: string, headers = {}) =>
    await router.handle(fakeRequest('GET', path, { headers }));
  return { get, asked: () => asked };
}

test('functions are listed, and a thread is asked for them once before any request', async () => {
  const { get, asked } = setUp();
  assert.equal(asked(), 1);
  assert.deepEqual(bodyJson(await get('/ldpath/functions')), [concat, first]);
  assert.deepEqual(bodyJson(await get('/ldpath/functions/')), [concat, first]);
  assert.equal(asked(), 1);
});

test('a function is found by its name, with or without prefix', async () => {
  const { get } = setUp();
  for (const name of ['concat', 'fn:concat', 'fn%3Aconcat', 'concat/']) {
    assert.deepEqual(bodyJson(await get(`/ldpath/functions/${name}`)), concat);
  }
});

test('an unknown function gets 404', async () => {
  const { get } = setUp();
  for (const name of ['nope', 'fn:', '%ff', 'toString']) {
    const response = await get(`/ldpath/functions/${name}`);
    assert.equal(response.status, 404);
    assert.equal((bodyJson(response) as { code: string }).code, 'function-not-found');
  }
});

test('1.10: an unknown function gets 404 whatever the client accepts, and a malformed query gets 400', async () => {
  const { get } = setUp();
  assert.equal((await get('/ldpath/functions/nope', { accept: 'text/html' })).status, 404);
  assert.equal((await get('/ldpath/functions?x=%zz')).status, 400);
  assert.equal((await get('/ldpath/functions/concat?x=%zz')).status, 400);
});

test('a failed request for functions is repeated', async () => {
  const { get } = setUp(1);
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal((await get('/ldpath/functions')).status, 200);
});

test('a client that does not accept JSON gets 406', async () => {
  const { get } = setUp();
  assert.equal((await get('/ldpath/functions', { accept: 'text/html' })).status, 406);
  assert.equal((await get('/ldpath/functions/concat', { accept: 'text/html' })).status, 406);
});
