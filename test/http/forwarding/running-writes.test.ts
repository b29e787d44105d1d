import assert from 'node:assert/strict';
import { it } from 'node:test';
import { RunningWrites } from '../../../src/http/forwarding/running-writes.ts';
import type { HttpResponse } from '../../../src/http/server/message.ts';
import { text } from '../test-server.ts';

it('waits until each write has a response, also one that fails', async () => {
  const writes = new RunningWrites();
  await writes.ended(300_000);
  assert.deepEqual(writes.add(text('at once')), text('at once'));
  await writes.ended(300_000);
  let fail = (_error: Error) => {};
  let end = (_response: HttpResponse) => {};
  const one = new Promise<HttpResponse>((_, reject) => {
    fail = reject;
  });
  const other = new Promise<HttpResponse>((resolve) => {
    end = resolve;
  });
  const responses = [writes.add(one), writes.add(other)];
  let hasEnded = false;
  const ended = writes.ended(300_000).then(() => {
    hasEnded = true;
  });
  fail(new Error('it failed'));
  await assert.rejects(Promise.resolve(responses[0]), /it failed/);
  assert.equal(hasEnded, false);
  end(text('done'));
  await ended;
});

it('does not wait for longer than its limit', async () => {
  const writes = new RunningWrites();
  void writes.add(new Promise(() => {}));
  await writes.ended(1);
});
