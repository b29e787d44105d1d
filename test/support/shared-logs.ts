import type { JetStreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { bucketNames, openBuckets } from '../../src/cluster/nats/buckets.ts';
import { connectNats } from '../../src/cluster/nats/connection.ts';
import { findGenesis } from '../../src/cluster/nats/genesis.ts';
import { JetStreamLog } from '../../src/cluster/nats/jetstream-log.ts';
import { openSharedLog } from '../../src/cluster/nats/open-log.ts';
import { streamManager } from '../../src/cluster/nats/streams.ts';
import { NatsBucket } from '../../src/cluster/objects/nats-bucket.ts';
import type { ClusterSettings } from '../../src/cluster/settings.ts';
import type { CommitLog } from '../../src/journal/commit-log.ts';
import type { JournalRecord } from '../../src/journal/record.ts';
import { newIdentity } from '../../src/store/registry/identity.ts';
import type { Scope } from './scope.ts';

/** What a record said to its reader. */
export interface SeenRecord {
  readonly sequence: number;
  readonly text: string;
  readonly state: string | undefined;
}

/** Opens a log, and ends it with the scope. Nothing is replayed. */
export async function openUnread(scope: Scope, settings: ClusterSettings): Promise<JetStreamLog> {
  const log = await openSharedLog(settings, { newIdentity: newIdentity(Date.now()) });
  scope.after(() => log.close());
  return log;
}

/** Opens a log with a manager that `change` has changed. Nothing is replayed. */
export async function openOver(
  scope: Scope,
  settings: ClusterSettings,
  { change, notice = () => {} }: ChangedManager,
): Promise<JetStreamLog> {
  const connection = await connectNats(settings, 'test');
  scope.after(() => connection.close());
  const manager = await streamManager(connection);
  change(manager, connection);
  const { state } = await openBuckets(connection, settings);
  const newLog = { identity: newIdentity(1), commit: 0 };
  const genesis = await findGenesis({ connection, manager, state, settings }, newLog);
  const objects = await NatsBucket.open(connection, bucketNames(settings.name).objects);
  const retention = { bytes: 0, ageMs: 0 };
  const log = new JetStreamLog({ connection, manager, objects, settings, genesis, retention, notice });
  scope.after(() => log.close());
  return log;
}

interface ChangedManager {
  readonly change: (manager: JetStreamManager, connection: NatsConnection) => void;
  readonly notice?: (message: string) => void;
}

/** Opens a log, and takes in what it has. */
export async function openTestLog(scope: Scope, settings: ClusterSettings): Promise<JetStreamLog> {
  const log = await openUnread(scope, settings);
  await log.replay(1, () => {});
  return log;
}

/** Records with numbers from `first` on. */
export function records(first: number, ...payloads: readonly string[]): JournalRecord[] {
  return payloads.map((text, index) => ({ sequence: first + index, payload: [Buffer.from(text)] }));
}

/** All records that a log has now. */
export async function replayed(log: CommitLog): Promise<SeenRecord[]> {
  const seen: SeenRecord[] = [];
  await log.replay(1, (sequence, payload, state) => {
    seen.push({ sequence, text: Buffer.from(payload).toString(), state });
  });
  return seen;
}

/** Receives until the newest record has a number. */
export async function texts(log: CommitLog, last: number): Promise<SeenRecord[]> {
  const seen: SeenRecord[] = [];
  while (log.lastSequence < last) {
    if (!log.hasForeign) await woken(log);
    await log.receive((sequence, payload, state) => {
      seen.push({ sequence, text: Buffer.from(payload).toString(), state });
    });
  }
  return seen;
}

/** Resolves when a log has something to receive, or its availability has changed. */
function woken(log: CommitLog): Promise<void> {
  return new Promise((resolve) => log.watch(resolve));
}
