import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deferRoutes } from '../../../src/http/server/deferred-routes.ts';
import type { HttpResponse } from '../../../src/http/server/message.ts';
import { Router } from '../../../src/http/server/router.ts';
import { fakeEndpoint } from '../fake-endpoint.ts';
import { fakeRequest } from '../fake-request.ts';

test('a request to a deferred route waits for the promise, and is handled synchronously once it is fulfilled', async () => {
  let fulfil = () => {};
  const until = new Promise<void>((resolve) => {
    fulfil = resolve;
  });
  const response: HttpResponse = { status: 200, headers: [] };
  const respond = fakeEndpoint(() => response);
  const route = { path: '/x', methods: { GET: respond }, options: respond };
  const router = new Router(deferRoutes([route], until));
  const waiting = [router.handle(fakeRequest('GET', '/x')), router.handle(fakeRequest('OPTIONS', '/x'))];
  for (const each of waiting) assert.ok(each instanceof Promise);
  fulfil();
  assert.deepEqual(await Promise.all(waiting), [response, response]);
  assert.equal(router.handle(fakeRequest('GET', '/x')), response);
});
