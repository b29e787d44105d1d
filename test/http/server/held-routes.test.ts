import assert from 'node:assert/strict';
import { test } from 'node:test';
import { holdRoutes } from '../../../src/http/server/held-routes.ts';
import type { HttpReply } from '../../../src/http/server/message.ts';
import { Router } from '../../../src/http/server/router.ts';
import { fakeRequest } from '../fake-request.ts';

test('what is asked of held routes waits, and is answered at once when they are open', async () => {
  let open = () => {};
  const until = new Promise<void>((resolve) => {
    open = resolve;
  });
  const reply: HttpReply = { status: 200, headers: [] };
  const route = { path: '/x', methods: { GET: () => reply }, options: () => reply };
  const router = new Router(holdRoutes([route], until));
  const waiting = [router.handle(fakeRequest('GET', '/x')), router.handle(fakeRequest('OPTIONS', '/x'))];
  for (const each of waiting) assert.ok(each instanceof Promise);
  open();
  assert.deepEqual(await Promise.all(waiting), [reply, reply]);
  assert.equal(router.handle(fakeRequest('GET', '/x')), reply);
});
