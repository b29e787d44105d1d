import { jetstream } from '@nats-io/jetstream';
import { type KV, Kvm } from '@nats-io/kv';
import { type NatsConnection, nanos } from '@nats-io/transport-node';
import type { ClusterSettings } from '../settings.ts';
import { ensureStream, ofExisting, type StreamSpecification, streamManager } from './streams.ts';

/** How long an entry of the live bucket lives unless it is written again. */
export const LIVE_MS = 5000;

/**
 * The entries that the processes of a cluster share besides the log. They are replicated like the
 * log.
 */
export interface Buckets {
  /** The identity, the newest checkpoint, the secret; without expiry. */
  readonly state: KV;
  /** The lease and the members; an entry expires `LIVE_MS` after it was written. */
  readonly live: KV;
}

/**
 * Opens the buckets, and creates those that do not exist; several processes may do so at once.
 * Entries are read from the leader of their bucket, so a process sees what it has written.
 *
 * Errors: `bad-arguments` for a bucket that is configured in another way, or servers that are too
 * old; `unavailable`.
 */
export async function openBuckets(connection: NatsConnection, settings: ClusterSettings): Promise<Buckets> {
  const manager = await streamManager(connection);
  const names = bucketNames(settings.name);
  const wanted = [
    objectStream(names.objects),
    entryStream(names.state),
    entryStream(names.live, { max_age: nanos(LIVE_MS), duplicate_window: nanos(LIVE_MS) }),
  ];
  for (const stream of wanted) await ensureStream(manager, stream, settings.replicas);
  const client = jetstream(connection);
  const entries = new Kvm(client);
  return {
    state: await ofExisting(() => entries.open(names.state, { allow_direct: false })),
    live: await ofExisting(() => entries.open(names.live, { allow_direct: false })),
  };
}

/** The names of the buckets of a log. `objects`: checkpoints, content, and huge groups. */
export function bucketNames(log: string): { readonly [Bucket in 'objects' | keyof Buckets]: string } {
  return { objects: `${log}_objects`, state: `${log}_state`, live: `${log}_live` };
}

/** The stream of a key-value bucket, which keeps one value for each key. */
function entryStream(bucket: string, changes: Partial<StreamSpecification> = {}): StreamSpecification {
  return {
    name: `KV_${bucket}`,
    subjects: [`$KV.${bucket}.>`],
    max_msgs_per_subject: 1,
    max_age: 0,
    allow_direct: false,
    allow_rollup_hdrs: true,
    ...changes,
  };
}

function objectStream(bucket: string): StreamSpecification {
  return {
    name: `OBJ_${bucket}`,
    subjects: [`$O.${bucket}.C.>`, `$O.${bucket}.M.>`],
    max_age: 0,
    allow_direct: true,
    allow_rollup_hdrs: true,
  };
}
