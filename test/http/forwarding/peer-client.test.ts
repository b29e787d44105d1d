import assert from 'node:assert/strict';
import { createServer, type Socket } from 'node:net';
import { it, type TestContext } from 'node:test';
import { type OutgoingRequest, PeerClient, PeerFailure } from '../../../src/http/forwarding/peer-client.ts';

/** A process that closes its connection when it has received the end of a body. */
async function brittlePeer(context: TestContext) {
  const server = createServer((socket: Socket) => {
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk;
      if (received.endsWith('end')) socket.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  context.after(() => server.close());
  const client = new PeerClient(() => false);
  context.after(() => client.close());
  const { port } = server.address() as { port: number };
  return { client, peer: { process: 'h2', url: `http://127.0.0.1:${port}` } };
}

function put(fields: readonly string[], body: () => AsyncIterable<Uint8Array>): OutgoingRequest {
  return { method: 'PUT', target: '/a', fields: ['host', 'x', ...fields], body, onAbort: () => {} };
}

async function* unended(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('the end');
  // The end of the body is never reported.
  await new Promise(() => {});
}

const progressOf = (error: unknown) => error instanceof PeerFailure && error.progress;

it('counts a request as sent with the last byte of its declared body', async (context) => {
  const { client, peer } = await brittlePeer(context);
  const sent = client.send(peer, put(['content-length', '7'], unended));
  await assert.rejects(sent, (error) => progressOf(error) === 'sent');
});

it('does not count a request as sent while its body may go on', async (context) => {
  const { client, peer } = await brittlePeer(context);
  const sent = client.send(peer, put(['content-length', '8'], unended));
  await assert.rejects(sent, (error) => progressOf(error) === 'incomplete');
});

it('rejects a head that cannot be sent, of which the other process gets nothing', async (context) => {
  const { client, peer } = await brittlePeer(context);
  const wrong = put(['x-a', 'a\u0001b'], unended);
  await assert.rejects(client.send(peer, wrong), { code: 'bad-arguments' });
});
