import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MessageChannel, type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import type { ChunkReceipt, SerializeMessage } from '../../../src/pool/messages.ts';
import { markFree } from '../../../src/pool/streaming/chunk-mark.ts';
import { ChunkSender } from '../../../src/pool/worker/chunk-sender.ts';

interface Ends {
  readonly sender: ChunkSender;
  readonly port: MessagePort;
}

function open(window: number): Ends {
  const { port1, port2 } = new MessageChannel();
  return { sender: new ChunkSender(port1, window), port: port2 };
}

/** Returns a chunk in memory of the sender. */
function chunk(sender: ChunkSender): Uint8Array {
  return sender.spare().subarray(0, 100);
}

function received(port: MessagePort): SerializeMessage {
  return receiveMessageOnPort(port)!.message as SerializeMessage;
}

/** Sends a chunk in a window of one, which the receipt opens. */
async function exchange(
  { sender, port }: Ends,
  bytes: Uint8Array,
  receipt: ChunkReceipt,
): Promise<SerializeMessage> {
  const sent = sender.send(bytes);
  const message = received(port);
  port.postMessage(receipt);
  await sent;
  return message;
}

test('free memory is transferred once and then reused', async () => {
  const ends = open(1);
  const first = await exchange(ends, chunk(ends.sender), { goOn: true, free: 0 });
  const second = await exchange(ends, chunk(ends.sender), { goOn: true, free: 0 });
  assert.ok(first.made);
  assert.deepEqual(second, { memory: 0, length: 100 });
  ends.sender.close();
});

test('memory in use is not reused before it is released', async () => {
  const ends = open(1);
  const first = await exchange(ends, chunk(ends.sender), { goOn: true });
  const second = await exchange(ends, chunk(ends.sender), { goOn: true });
  assert.notEqual(first.memory, second.memory);
  ends.port.postMessage({ goOn: false, free: first.memory! } satisfies ChunkReceipt);
  await exchange(ends, chunk(ends.sender), { goOn: true });
  const fourth = await exchange(ends, chunk(ends.sender), { goOn: true, forget: second.memory! });
  assert.deepEqual(fourth, { memory: first.memory, length: 100 });
  ends.sender.close();
});

test('the memory of a document is reused as soon as its client has released it', async (t) => {
  const ends = open(1);
  const { made } = await exchange(ends, chunk(ends.sender), { goOn: true });
  new Uint8Array(made!)[0] = 77;
  ends.sender.close();
  const { sender } = open(1);
  t.after(() => sender.close());
  const hasMade = () => Array.from({ length: 10 }, () => sender.spare()[0]).includes(77);
  assert.ok(!hasMade());
  markFree(made!);
  assert.ok(hasMade());
});

test('memory of another size is not reused', async () => {
  const ends = open(1);
  const message = await exchange(ends, new Uint8Array(1_000_000), { goOn: true });
  assert.equal(message.memory, null);
  assert.equal(message.made?.byteLength, 1_000_000);
  ends.sender.close();
});

test('a sender rejects chunks after its reader has closed', async () => {
  const { sender, port } = open(1);
  const sent = sender.send(chunk(sender));
  port.postMessage(null);
  await assert.rejects(sent, { code: 'cancelled' });
  sender.close();
});
