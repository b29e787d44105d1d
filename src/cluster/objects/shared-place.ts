import type { Entries } from '../membership/entries.ts';
import { KvEntries } from '../membership/kv-entries.ts';
import { bucketNames, openBuckets } from '../nats/buckets.ts';
import { connectNats } from '../nats/connection.ts';
import type { ClusterSettings } from '../settings.ts';
import type { ObjectBucket } from './bucket.ts';
import { type BucketTimes, NatsBucket } from './nats-bucket.ts';

/** What the processes of a cluster share besides the log, until it is closed. */
export interface SharedPlace {
  readonly objects: ObjectBucket;
  /** The bucket of entries without expiry. */
  readonly entries: Entries;
  readonly close: () => Promise<void>;
}

/**
 * Opens the buckets of a cluster, and creates those that do not exist, with a connection of their
 * own: much is transferred, and the log must not wait for it. Errors: `bad-arguments` for buckets
 * that are configured in another way; `unavailable`.
 *
 * @param purpose part of the connection's name, which operators see in NATS
 */
export async function openSharedPlace(
  settings: ClusterSettings,
  purpose: string,
  times: BucketTimes,
): Promise<SharedPlace> {
  const connection = await connectNats(settings, purpose);
  try {
    const { state } = await openBuckets(connection, settings);
    const objects = await NatsBucket.open(connection, bucketNames(settings.name).objects, times);
    return { objects, entries: new KvEntries(state), close: () => connection.close() };
  } catch (error) {
    await connection.close();
    throw error;
  }
}
