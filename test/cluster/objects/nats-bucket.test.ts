import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { before, describe, it } from 'node:test';
import { jetstream, jetstreamManager, StorageType } from '@nats-io/jetstream';
import { Objm } from '@nats-io/obj';
import type { NatsConnection } from '@nats-io/transport-node';
import { connectNats } from '../../../src/cluster/nats/connection.ts';
import { NatsBucket } from '../../../src/cluster/objects/nats-bucket.ts';
import { bytesOf, objectBucketContract, piecesOf } from '../../contracts/object-bucket.contract.ts';
import { type NatsServers, startNatsServers, withoutNats } from '../../support/nats-servers.ts';
import { suiteScope } from '../../support/scope.ts';

describe('objects in NATS', { skip: withoutNats }, () => {
  const scope = suiteScope();
  let servers: NatsServers;
  let connections: NatsConnection[];
  before(async () => {
    servers = await startNatsServers(scope);
    const connect = () => connectNats(servers.settings(), 'test');
    connections = await Promise.all([connect(), connect()]);
    scope.after(() => Promise.all(connections.map((each) => each.close())));
  });

  async function newBucket() {
    const { name } = servers.settings();
    await new Objm(jetstream(connections[0]!)).create(name, { replicas: 1, storage: StorageType.File });
    const [bucket, other] = await Promise.all(connections.map((each) => NatsBucket.open(each, name)));
    return { name, bucket: bucket!, other: other! };
  }

  objectBucketContract(newBucket);

  it('writes what the usual client reads, and reads what it writes', async () => {
    const { name, bucket } = await newBucket();
    const usual = await new Objm(jetstream(connections[0]!)).open(name);
    const bytes = randomBytes(1_500_000);
    await bucket.put({ name: 'ours' }, piecesOf(bytes));
    assert.deepEqual(Buffer.from((await usual.getBlob('ours'))!), bytes);
    await usual.putBlob({ name: 'theirs' }, bytes);
    assert.deepEqual(await bytesOf(bucket.read((await bucket.find('theirs'))!)), bytes);
    await usual.delete('theirs');
    assert.equal(await bucket.find('theirs'), undefined);
  });

  /** The subjects of the pieces that are there. */
  async function pieces(name: string): Promise<string[]> {
    const manager = await jetstreamManager(connections[0]!);
    const { state } = await manager.streams.info(`OBJ_${name}`, { subjects_filter: `$O.${name}.C.*` });
    return Object.keys(state.subjects ?? {});
  }

  it('removes the pieces of uploads that did not complete', async () => {
    const { name, bucket } = await newBucket();
    await bucket.put({ name: 'complete' }, piecesOf(randomBytes(600_000)));
    const [complete] = await pieces(name);
    // The process ends while its upload waits.
    const stopped = async function* () {
      yield randomBytes(1_200_000);
      await new Promise(() => {});
    };
    void bucket.put({ name: 'never' }, stopped());
    while ((await pieces(name)).length < 2);
    assert.equal(await bucket.removeUnfinished(60_000), 0);
    assert.equal(await bucket.removeUnfinished(-60_000), 1);
    assert.deepEqual(await pieces(name), [complete]);
    const found = (await bucket.find('complete'))!;
    assert.equal((await bytesOf(bucket.read(found))).length, 600_000);
  });

  it('leaves no piece of what was removed, replaced or rejected', async () => {
    const { name, bucket } = await newBucket();
    const first = await bucket.put({ name: 'a' }, piecesOf(randomBytes(600_000)));
    const second = await bucket.put({ name: 'a' }, piecesOf(randomBytes(600_000)));
    assert.equal((await pieces(name)).length, 1);
    assert.equal(await bucket.remove(first), false);
    await assert.rejects(bucket.put({ name: 'a', digest: 'other' }, piecesOf(randomBytes(600_000))));
    assert.equal((await bytesOf(bucket.read(second))).length, 600_000);
    assert.equal(await bucket.remove(second), true);
    assert.deepEqual(await pieces(name), []);
    assert.deepEqual(await namesIn(bucket), []);
  });

  it('keeps the pieces of one of several uploads of the same object at the same time', async () => {
    const { name, bucket, other } = await newBucket();
    const bytes = randomBytes(600_000);
    await Promise.all([bucket, other, bucket].map((each) => each.put({ name: 'a' }, piecesOf(bytes))));
    assert.equal((await pieces(name)).length, 1);
    const stored = (await bucket.find('a'))!;
    assert.deepEqual(await bytesOf(bucket.read(stored)), bytes);
    assert.equal(await bucket.remove(stored), true);
    assert.deepEqual(await pieces(name), []);
  });

  it('lists more objects than fit into one answer', async () => {
    const { bucket } = await newBucket();
    const names = Array.from({ length: 300 }, (_, index) => `n${index}`);
    await Promise.all(names.map((each) => bucket.put({ name: each }, piecesOf(Buffer.from(each)))));
    assert.deepEqual((await namesIn(bucket)).sort(), names.sort());
  });

  it('lists checkpoints, huge groups and announcements without reading the other entries', async () => {
    const { name, bucket } = await newBucket();
    const names = ['checkpoint/a/b', 'content/a', 'log', 'log/7/id'];
    for (const each of names) await bucket.put({ name: each }, piecesOf(Buffer.from(each)));
    const manager = await jetstreamManager(connections[0]!);
    for (const [folder, inside] of [
      ['checkpoint', ['checkpoint/a/b']],
      ['log', ['log/7/id']],
    ] as const) {
      const subjects = `$O.${name}.M.${folder}.>`;
      const { state } = await manager.streams.info(`OBJ_${name}`, { subjects_filter: subjects });
      assert.equal(Object.keys(state.subjects ?? {}).length, 1);
      assert.deepEqual(await namesIn(bucket, `${folder}/`), inside);
    }
    assert.deepEqual((await namesIn(bucket)).sort(), names);
  });

  it('detects a changed piece', async () => {
    const { name, bucket } = await newBucket();
    const stored = await bucket.put({ name: 'a' }, piecesOf(randomBytes(1_500_000)));
    const manager = await jetstreamManager(connections[0]!);
    const { state } = await manager.streams.info(`OBJ_${name}`);
    const [subject] = Object.keys(
      (await manager.streams.info(`OBJ_${name}`, { subjects_filter: `$O.${name}.C.*` })).state.subjects!,
    );
    await manager.streams.deleteMessage(`OBJ_${name}`, state.first_seq);
    await assert.rejects(bytesOf(bucket.read(stored)), { code: 'data-damaged' });
    await jetstream(connections[0]!).publish(subject!, randomBytes(512 * 1024));
    await assert.rejects(bytesOf(bucket.read(stored)), { code: 'data-damaged' });
  });

  it('is read from the leader after another server has hidden a piece', async (context) => {
    const { name, bucket } = await newBucket();
    const bytes = randomBytes(1_500_000);
    const stored = await bucket.put({ name: 'a' }, piecesOf(bytes));
    const [connection] = connections;
    const request = connection!.request.bind(connection);
    context.mock.method(connection!, 'request', (...[subject, body, options]: Parameters<typeof request>) => {
      if (subject !== `$JS.API.DIRECT.GET.OBJ_${name}`) return request(subject, body, options);
      const query = JSON.parse(Buffer.from(body as Uint8Array).toString());
      // It has lost the first piece, and answers with the second one.
      return request(subject, JSON.stringify({ ...query, seq: Math.max(query.seq, 3) }), options);
    });
    await assert.rejects(bytesOf(bucket.read(stored)), { code: 'data-damaged' });
    assert.deepEqual(await bytesOf(bucket.read(stored)), bytes);
  });

  it('is unavailable while the log servers are away, and heals', async () => {
    const { name } = await newBucket();
    const bucket = await NatsBucket.open(connections[0]!, name, { answerMs: 250, patienceMs: 0 });
    const stored = await bucket.put({ name: 'a' }, piecesOf(Buffer.from('x')));
    await servers.nodes[0]!.kill();
    await assert.rejects(bucket.find('a'), { name: 'AppError', code: 'unavailable' });
    const put = bucket.put({ name: 'b' }, piecesOf(Buffer.from('x')));
    await assert.rejects(put, { name: 'AppError', code: 'unavailable' });
    await servers.nodes[0]!.start();
    await servers.untilHealthy();
    await untilAvailable(() => bucket.find('a'));
    assert.equal((await bytesOf(bucket.read(stored))).toString(), 'x');
  });
});

async function namesIn(bucket: NatsBucket, prefix = ''): Promise<string[]> {
  const names: string[] = [];
  for await (const { name } of bucket.list(prefix)) names.push(name);
  return names;
}

async function untilAvailable<T>(action: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await action();
    } catch (error) {
      if ((error as { code?: unknown }).code !== 'unavailable') throw error;
    }
  }
}
