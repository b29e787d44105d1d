import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { type LoggedRecord, LogHistory } from '../../../src/cluster/history/log-history.ts';
import { bucketNames } from '../../../src/cluster/nats/buckets.ts';
import { connectNats } from '../../../src/cluster/nats/connection.ts';
import { subjectOf } from '../../../src/cluster/nats/genesis.ts';
import { upload } from '../../../src/cluster/nats/groups.ts';
import type { JetStreamLog } from '../../../src/cluster/nats/jetstream-log.ts';
import { openSharedLog } from '../../../src/cluster/nats/open-log.ts';
import { groupBytes, partsOf } from '../../../src/cluster/nats/parts.ts';
import { Publisher } from '../../../src/cluster/nats/publisher.ts';
import { NatsBucket } from '../../../src/cluster/objects/nats-bucket.ts';
import type { ClusterSettings } from '../../../src/cluster/settings.ts';
import { readFully } from '../../../src/journal/disk/disk.ts';
import type { RetentionLimits } from '../../../src/store/history/retention-limits.ts';
import { newIdentity } from '../../../src/store/registry/identity.ts';
import { type NatsServers, startNatsServers, withoutNats } from '../../support/nats-servers.ts';
import { type Scope, suiteScope } from '../../support/scope.ts';
import { records } from '../../support/shared-logs.ts';

const KEEP_ALL: RetentionLimits = { bytes: 2 ** 40, ageMs: Number.POSITIVE_INFINITY };

describe('the commits that a log still has', { skip: withoutNats }, () => {
  const scope = suiteScope();
  let servers: NatsServers;
  before(async () => {
    servers = await startNatsServers(scope);
  });

  it('are read from each place on, in groups of one record or several, and in groups of several parts', async (t) => {
    const { log, history } = await opened(t, servers.settings(), KEEP_ALL);
    const texts = ['one', 'two', long('three'), 'four', long('five'), long('six'), 'seven', 'eight'];
    await log.append(records(1, ...texts.slice(0, 2)));
    await log.append(records(3, texts[2]!));
    await log.append(records(4, ...texts.slice(3, 7)));
    await log.append(records(8, texts[7]!));
    assert.equal(await history.oldest(), 0);
    for (const times of ['first', 'second']) {
      for (let since = 0; since <= texts.length; since++) {
        const expected = texts.slice(since).map((text, index) => ({ sequence: since + 1 + index, text }));
        assert.deepEqual(await read(history, since), expected, `${times} reading from ${since}`);
      }
    }
  });

  it('are found among messages of other programs', async (t) => {
    const settings = servers.settings();
    const { log, history } = await opened(t, settings, KEEP_ALL);
    const connection = await connectNats(settings, 'test');
    t.after(() => connection.close());
    for (let commit = 1; commit <= 5; commit++) {
      while ((await log.append(records(commit, `text ${commit}`))) === 'conflict')
        await log.receive(() => {});
      for (let count = 0; count < 3; count++) {
        await connection.request(subjectOf(settings.name), 'hello', { timeout: 20_000 });
      }
    }
    for (let since = 0; since <= 5; since++) {
      assert.deepEqual(
        (await read(history, since)).map(({ sequence }) => sequence),
        [1, 2, 3, 4, 5].slice(since),
      );
    }
  });

  it('are read from an object', async (t) => {
    const settings = servers.settings();
    const { log, history } = await opened(t, settings, KEEP_ALL);
    const connection = await connectNats(settings, 'test');
    t.after(() => connection.close());
    const objects = await NatsBucket.open(connection, bucketNames(settings.name).objects);
    const pieces = groupBytes(records(1, long('one'), 'two'));
    const head = { first: 1, last: 2, id: 'id', state: '' };
    const object = await upload(objects, head, pieces);
    const { sequence, hash } = log.position;
    const parts = partsOf({ ...head, object }, [], hash);
    const attempt = await new Publisher(connection, subjectOf(settings.name)).attempt(parts, sequence);
    assert.equal(attempt.kind, 'stored');
    assert.deepEqual(await read(history, 0), [
      { sequence: 1, text: long('one') },
      { sequence: 2, text: 'two' },
    ]);
    await objects.remove((await objects.find(object.name))!);
    await assert.rejects(read(history, 0), { code: 'unavailable' });
  });

  it('end where a checkpoint has removed them', async (t) => {
    const { log, history } = await opened(t, servers.settings(), { bytes: 0, ageMs: 0 });
    for (let commit = 1; commit <= 4; commit++) await log.append(records(commit, `text ${commit}`));
    await log.beginCheckpoint();
    await log.checkpointed(4);
    assert.equal(await history.oldest(), 0);
    await log.append(records(5, 'text 5'));
    await log.beginCheckpoint();
    await log.checkpointed(5);
    assert.equal(await history.oldest(), 4);
    assert.deepEqual(await read(history, 3), []);
    assert.deepEqual(await read(history, 4), [{ sequence: 5, text: 'text 5' }]);
  });

  it('are kept within the limit for bytes, and no longer than the limit for age', async (t) => {
    const settings = servers.settings();
    const { log, history } = await opened(t, settings, { ...KEEP_ALL, bytes: 200_000 });
    await checkpointOften(log, 1, 100);
    const oldest = await history.oldest();
    assert.ok(oldest !== undefined && oldest > 60 && oldest < 90, String(oldest));
    assert.equal((await read(history, oldest)).length, 100 - oldest);
    assert.deepEqual(await read(history, oldest - 1), []);
    const other = await openedAgain(t, settings, { ...KEEP_ALL, ageMs: 0 });
    other.startAt(log.position);
    await other.replay(101, () => {});
    await checkpointOften(other, 101, 120);
    assert.equal(await history.oldest(), 110);
  });

  it('of a group whose first parts were removed are gone', async (t) => {
    const settings = servers.settings();
    const { log, history } = await opened(t, settings, KEEP_ALL);
    await log.append(records(1, long('one'), long('two')));
    await log.append(records(3, 'three'));
    const connection = await connectNats(settings, 'test');
    t.after(() => connection.close());
    const request = JSON.stringify({ seq: 3 });
    await connection.request(`$JS.API.STREAM.PURGE.${settings.name}`, request, { timeout: 2000 });
    assert.equal(await history.oldest(), 2);
    assert.deepEqual(await read(history, 0), []);
    assert.deepEqual(await read(history, 2), [{ sequence: 3, text: 'three' }]);
  });

  it("can't be read from another log, nor while the log servers are away", async (t) => {
    const settings = servers.settings();
    await opened(t, settings, KEEP_ALL);
    await assert.rejects(new LogHistory(settings, 'other').oldest(), { code: 'data-damaged' });
    const away = { ...settings, servers: ['127.0.0.1:1'] };
    await assert.rejects(new LogHistory(away, 'other').oldest(), { code: 'unavailable' });
  });
});

/** More than a part has. */
function long(text: string): string {
  return `${text} `.repeat(400_000);
}

async function openedAgain(
  scope: Scope,
  settings: ClusterSettings,
  retention: RetentionLimits,
): Promise<JetStreamLog> {
  const log = await openSharedLog(settings, { newIdentity: newIdentity(Date.now()), retention });
  scope.after(() => log.close());
  return log;
}

async function opened(scope: Scope, settings: ClusterSettings, retention: RetentionLimits) {
  const log = await openedAgain(scope, settings, retention);
  await log.replay(1, () => {});
  const history = new LogHistory(settings, log.identity.name);
  scope.after(() => history.close());
  return { log, history };
}

/** Appends records of 5 kB, with a checkpoint after each tenth. */
async function checkpointOften(log: JetStreamLog, first: number, last: number): Promise<void> {
  for (let commit = first; commit <= last; commit++) {
    await log.append(records(commit, 'x'.repeat(5_000)));
    if (commit % 10 !== 0) continue;
    await log.beginCheckpoint();
    await log.checkpointed(commit);
  }
}

async function read(history: LogHistory, since: number) {
  const found: { readonly sequence: number; readonly text: string }[] = [];
  for await (const record of history.after(since)) {
    found.push({ sequence: record.sequence, text: await textOf(record) });
  }
  return found;
}

async function textOf({ payload, large }: LoggedRecord): Promise<string> {
  if (payload) return Buffer.from(payload).toString();
  const text = Buffer.alloc(large!.bytes);
  const opened = large!.open();
  await readFully(opened, text, 0);
  await opened.close();
  return text.toString();
}
