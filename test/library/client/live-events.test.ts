import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { PathpoolClient } from '../../../src/library/client/entry.ts';

type Answer = (response: ServerResponse, request: IncomingMessage) => void;

/** A server that answers each request in the next way, and the last way again and again. */
async function answering(context: TestContext, ...answers: readonly Answer[]) {
  const positions: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    const answer = answers[Math.min(positions.length, answers.length - 1)]!;
    positions.push(request.headers['last-event-id'] as string | undefined);
    answer(response, request);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  context.after(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return { ...new PathpoolClient(`http://127.0.0.1:${port}`), positions };
}

/** Sends events; the connection then stays open, unless another step ends it. */
function events(text: string, after: Answer = () => {}): Answer {
  return (response, request) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    response.write(text, () => after(response, request));
  };
}

function problem(status: number, code: string, more: object = {}): Answer {
  return (response) => {
    response.writeHead(status, { 'Content-Type': 'application/problem+json' });
    response.end(JSON.stringify({ status, code, ...more }));
  };
}

const begin = 'retry: 1000\nid: i.1\n\n';
const commit = (number: number) => `id: i.${number}\ndata: {"position":"i.${number}","commit":${number}}\n\n`;
const disconnect: Answer = (response) => void response.socket!.destroy();
const end: Answer = (response) => void response.end();

describe('a stream of changes', () => {
  it('goes on after the last event when the connection breaks or the server ends it', async (context) => {
    const { changes, positions } = await answering(
      context,
      events(begin + commit(2), disconnect),
      events(`id: i.2\n\n${commit(3)}data: {"position":"i.4","comm`, end),
      events(commit(4)),
    );
    const errors: unknown[] = [];
    const live = changes.followCommits({ onLost: (error) => errors.push(error) });
    const reached: string[] = [];
    for await (const { position } of live) {
      reached.push(position);
      if (position === 'i.4') break;
    }
    assert.deepEqual(reached, ['i.1', 'i.2', 'i.2', 'i.3', 'i.4']);
    assert.deepEqual(positions, [undefined, 'i.2', 'i.3']);
    assert.equal(errors.length, 2);
  });

  it('tries again while the server starts or is overloaded', async (context) => {
    const { changes, positions } = await answering(
      context,
      events(begin, end),
      problem(503, 'overloaded'),
      problem(429, 'too-many-requests'),
      disconnect,
      events(commit(2)),
    );
    const live = changes.followCommits();
    await live.next();
    assert.equal((await live.next()).value?.position, 'i.2');
    assert.equal(positions.length, 5);
    await live.return();
  });

  it('ends at once when the first request fails', async (context) => {
    const { changes, positions } = await answering(context, problem(503, 'overloaded'));
    await assert.rejects(changes.followCommits().next(), { code: 'overloaded' });
    assert.equal(positions.length, 1);
    const refused = new PathpoolClient('http://127.0.0.1:1');
    await assert.rejects(refused.changes.followCommits().next(), TypeError);
  });

  it('ends with an error that would come again', async (context) => {
    const { programs } = await answering(context, events(begin, end), problem(404, 'program-not-found'));
    const live = programs.followChanges('p');
    await live.next();
    await assert.rejects(live.next(), { name: 'PathpoolError', code: 'program-not-found' });
  });

  it('is a ResyncError when the position is not known any more', async (context) => {
    const resync = 'event: resync\ndata: {"position":"i.9","resync":true}\n\n';
    for (const answers of [
      [events(begin, end), problem(410, 'position-gone')],
      [events(begin + resync, end)],
    ]) {
      const { programs } = await answering(context, ...answers);
      const live = programs.followChanges('p');
      await live.next();
      await assert.rejects(live.next(), { name: 'ResyncError' });
    }
  });

  it('ends with its signal while it waits to connect again', async (context) => {
    const controller = new AbortController();
    const { changes } = await answering(context, events(begin, end), problem(503, 'x', { retryAfter: 60 }));
    const reason = new Error('enough');
    let lost = 0;
    const onLost = () => {
      if (++lost === 2) queueMicrotask(() => controller.abort(reason));
    };
    const live = changes.followCommits({ signal: controller.signal, onLost });
    await live.next();
    await assert.rejects(live.next(), reason);
  });

  it('is nothing else than a stream of events', async (context) => {
    const { changes } = await answering(context, (response) => void response.end('{}'));
    await assert.rejects(changes.followCommits().next(), /not a stream of events/);
  });

  it('is closed when the reader leaves the loop', { timeout: 300_000 }, async (context) => {
    let closed: Promise<unknown> | undefined;
    const { changes } = await answering(
      context,
      events(begin, (response) => {
        closed = once(response, 'close');
      }),
    );
    for await (const _ of changes.followCommits()) break;
    await closed;
  });
});
