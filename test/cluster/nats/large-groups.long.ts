import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { before, describe, it } from 'node:test';
import { bucketNames, openBuckets } from '../../../src/cluster/nats/buckets.ts';
import { connectNats } from '../../../src/cluster/nats/connection.ts';
import { streamManager } from '../../../src/cluster/nats/streams.ts';
import { NatsBucket } from '../../../src/cluster/objects/nats-bucket.ts';
import type { CommitLog } from '../../../src/journal/commit-log.ts';
import type { JournalRecord } from '../../../src/journal/record.ts';
import { type NatsServers, startNatsServers, withoutNats } from '../../support/nats-servers.ts';
import { suiteScope } from '../../support/scope.ts';
import { openTestLog, openUnread, records } from '../../support/shared-logs.ts';

const MEGABYTES = 1024 * 1024;

describe('a large group on three servers', { skip: withoutNats }, () => {
  const scope = suiteScope();
  let servers: NatsServers;
  before(async () => {
    servers = await startNatsServers(scope, 3);
  });

  for (const [size, kind] of [
    [120, 'a batch'],
    [140, 'an object'],
  ] as const) {
    it(`of ${size} MiB is ${kind}, and the same for all`, { timeout: 300_000 }, async (context) => {
      const settings = servers.settings();
      const [writer, reader] = [await openTestLog(context, settings), await openTestLog(context, settings)];
      const payload = pattern(size * MEGABYTES);
      const began = performance.now();
      assert.equal(await writer.append([large(1, payload)], 'state'), 'committed');
      context.diagnostic(`appended in ${Math.round(performance.now() - began)} ms`);
      assert.equal(await writer.append(records(2, 'next')), 'committed');
      assert.deepEqual(await digests((visit) => receiveThrough(reader, 2, visit)), [
        digestOf(payload),
        digestOf(Buffer.from('next')),
      ]);
      const fresh = await openUnread(context, settings);
      assert.deepEqual((await digests((visit) => fresh.replay(1, visit)))[0], digestOf(payload));
    });
  }

  it('that came too late leaves no object, nor does one that checkpoints cover', async (context) => {
    const settings = servers.settings();
    const connection = await connectNats(settings, 'test');
    context.after(() => connection.close());
    await openBuckets(connection, settings);
    const bucket = bucketNames(settings.name).objects;
    const objects = await NatsBucket.open(connection, bucket);
    const names = async () => {
      const found: string[] = [];
      for await (const { name } of objects.list('')) found.push(name);
      return found;
    };
    const [writer, late] = [await openTestLog(context, settings), await openTestLog(context, settings)];
    const payload = pattern(130 * MEGABYTES);
    const outcomes = Promise.all([late.append([large(1, payload)]), writer.append(records(1, 'first'))]);
    assert.deepEqual(await outcomes, ['conflict', 'committed']);
    assert.deepEqual(await names(), []);
    await writer.append([large(2, payload)]);
    assert.equal((await names()).length, 1);
    for (const commit of [3, 4]) {
      await writer.append(records(commit, 'text'));
      await writer.beginCheckpoint();
      await writer.checkpointed(commit);
    }
    assert.deepEqual(await names(), []);
  });

  it('whose process ends while it is uploaded leaves pieces that the next sweep removes', async (context) => {
    const settings = servers.settings();
    const connection = await connectNats(settings, 'test');
    context.after(() => connection.close());
    const writer = await openTestLog(context, settings);
    const bucket = bucketNames(settings.name).objects;
    const objects = await NatsBucket.open(connection, bucket);
    const manager = await streamManager(connection);
    const pieces = async () => {
      const { state } = await manager.streams.info(`OBJ_${bucket}`, { subjects_filter: `$O.${bucket}.C.>` });
      return Object.values(state.subjects ?? {}).reduce((sum, count) => sum + count, 0);
    };
    const appended = writer.append([large(1, pattern(130 * MEGABYTES))]);
    while ((await pieces()) < 10);
    await writer.abandon();
    await assert.rejects(appended, { code: 'writes-disabled' });
    assert.ok((await pieces()) >= 10);
    await objects.removeUnfinished(-60_000);
    assert.equal(await pieces(), 0);
  });
});

type Visit = (sequence: number, payload: Uint8Array) => void;

async function digests(read: (visit: Visit) => Promise<void>): Promise<string[]> {
  const found: string[] = [];
  await read((_sequence, payload) => found.push(digestOf(payload)));
  return found;
}

async function receiveThrough(log: CommitLog, last: number, visit: Visit): Promise<void> {
  while (log.lastSequence < last) {
    if (!log.hasForeign) await new Promise<void>((resolve) => log.watch(resolve));
    await log.receive(visit);
  }
}

function large(sequence: number, payload: Uint8Array): JournalRecord {
  return { sequence, payload: [payload.subarray(0, 1000), payload.subarray(1000)] };
}

function pattern(length: number): Uint8Array {
  const bytes = new Uint32Array(length / 4);
  for (let i = 0; i < bytes.length; i++) bytes[i] = Math.imul(i, 2654435761);
  return new Uint8Array(bytes.buffer);
}

function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
