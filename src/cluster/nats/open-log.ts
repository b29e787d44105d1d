import type { NatsConnection } from '@nats-io/transport-node';
import type { RetentionLimits } from '../../store/history/retention-limits.ts';
import type { Identity } from '../../store/registry/identity.ts';
import { NatsBucket, patientTimes } from '../objects/nats-bucket.ts';
import type { ClusterSettings } from '../settings.ts';
import { bucketNames, openBuckets } from './buckets.ts';
import { connectNats } from './connection.ts';
import { findGenesis } from './genesis.ts';
import { JetStreamLog } from './jetstream-log.ts';
import { streamManager } from './streams.ts';

const KEEP_NOTHING: RetentionLimits = { bytes: 0, ageMs: 0 };

export interface SharedLogOptions {
  /** The identity of the log if this process creates it. */
  readonly newIdentity: Identity;
  /** Number of the last record of the data that a new log continues; 0 by default. */
  readonly newCommit?: number;
  /** How much is kept of what checkpoints cover; nothing by default. */
  readonly retention?: RetentionLimits | undefined;
  /** Receives messages for the operator. */
  readonly notice?: (message: string) => void;
}

/**
 * Opens the log of a cluster, with a connection of its own; creates it if it does not exist. Next
 * come `startAt`, if there is a checkpoint, and `replay`.
 *
 * Errors: `bad-arguments` for servers or streams that are not as Pathpool needs them, with what to
 * do; `data-damaged` if parts of the log are gone; `unavailable`.
 */
export async function openSharedLog(
  settings: ClusterSettings,
  options: SharedLogOptions,
): Promise<JetStreamLog> {
  return openLogOver(await connectNats(settings, 'log'), settings, options);
}

/** Opens the log with a connection, which it closes in the end, or when it can't be opened. */
export async function openLogOver(
  connection: NatsConnection,
  settings: ClusterSettings,
  { newIdentity, newCommit = 0, retention = KEEP_NOTHING, notice = () => {} }: SharedLogOptions,
): Promise<JetStreamLog> {
  try {
    const manager = await streamManager(connection);
    const { state } = await openBuckets(connection, settings);
    const objects = await NatsBucket.open(connection, bucketNames(settings.name).objects, patientTimes);
    const newLog = { identity: newIdentity, commit: newCommit };
    const genesis = await findGenesis({ connection, manager, state, settings }, newLog);
    return new JetStreamLog({ connection, manager, objects, settings, genesis, retention, notice });
  } catch (error) {
    await connection.close();
    throw error;
  }
}
