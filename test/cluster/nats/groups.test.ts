import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import type { ObjectStore } from '@nats-io/obj';
import { GroupReader } from '../../../src/cluster/nats/groups.ts';
import { groupBytes, partsOf } from '../../../src/cluster/nats/parts.ts';

const bytes = Buffer.concat(groupBytes([{ sequence: 1, payload: [Buffer.from('text')] }]));
const digest = createHash('sha256').update(bytes).digest('base64url');
const object = { name: 'log/1/id', digest };
const [part] = partsOf({ first: 1, last: 1, id: 'id', state: '', object }, [], '');

/** Objects whose reading goes as these streams do, one after another. */
function readerOf(...streams: readonly ReadableStream<Uint8Array>[]): GroupReader {
  const left = [...streams];
  const get: Pick<ObjectStore, 'get'>['get'] = async () => {
    const data = left.shift()!;
    const error = data === broken ? Promise.reject(new Error('corrupt')) : Promise.resolve(null);
    return { data, error, info: {} as never };
  };
  return new GroupReader({ get }, 20);
}

const whole = () => ReadableStream.from([bytes.subarray(0, 3), bytes.subarray(3)]);
const stalled = () => new ReadableStream<Uint8Array>({ start: (to) => to.enqueue(bytes.subarray(0, 3)) });
const broken = new ReadableStream<Uint8Array>({ start: (to) => to.error(new Error('corrupt')) });

describe('a group that is an object', () => {
  it('is read in chunks', async () => {
    const group = await readerOf(whole()).add(part!);
    assert.deepEqual(group?.payloads.map(String), [String(Buffer.from('text'))]);
  });

  it('is read again if the servers stop in the middle', async () => {
    const group = await readerOf(stalled(), whole()).add(part!);
    assert.equal(Buffer.from(group!.payloads[0]!).toString(), 'text');
  });

  it('that cannot be read is an error of the reader, and can be read again', async () => {
    const reader = readerOf(broken, whole());
    await assert.rejects(reader.add(part!), /corrupt/);
    assert.equal((await reader.add(part!))?.payloads.length, 1);
  });
});
