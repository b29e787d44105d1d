import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { PathpoolClient } from '../../../src/library/client/entry.ts';

/** A server that sends one text on each connection, and then ends it. */
async function sending(context: TestContext, text: string): Promise<PathpoolClient> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' }).end(text);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  context.after(() => server.close());
  return new PathpoolClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

describe('following tasks', () => {
  it('yields the state and its changes, and the state again after a lost connection', async (context) => {
    const events =
      'retry: 1000\n\n:\n\nevent: state\ndata: {"time":1}\n\nevent: later\ndata: {}\n\nevent: change\ndata: {"time":2}\n\n';
    const { tasks } = await sending(context, events);
    const lost: unknown[] = [];
    const followed: [string, number][] = [];
    for await (const { type, time } of tasks.follow({ onLost: (error) => lost.push(error) })) {
      followed.push([type, time]);
      if (followed.length === 3) break;
    }
    assert.deepEqual(followed, [
      ['state', 1],
      ['change', 2],
      ['state', 1],
    ]);
    assert.equal(lost.length, 1);
  });
});
