import type { JetStreamManager } from '@nats-io/jetstream';
import type { KV } from '@nats-io/kv';
import { openBuckets } from '../../cluster/nats/buckets.ts';
import { connectNats } from '../../cluster/nats/connection.ts';
import type { JetStreamLog } from '../../cluster/nats/jetstream-log.ts';
import { openLogOver } from '../../cluster/nats/open-log.ts';
import { streamConfig, streamManager } from '../../cluster/nats/streams.ts';
import { patientTimes } from '../../cluster/objects/nats-bucket.ts';
import { openSharedPlace, type SharedPlace } from '../../cluster/objects/shared-place.ts';
import type { ClusterSettings } from '../../cluster/settings.ts';
import { AppError } from '../../errors.ts';
import { newIdentity } from '../../store/registry/identity.ts';

/** The data of a cluster as commands read them. */
export interface ExistingCluster {
  readonly log: JetStreamLog;
  readonly manager: JetStreamManager;
  readonly place: SharedPlace;
  /** The bucket of the lease and the members. */
  readonly live: KV;
  readonly close: () => Promise<void>;
}

/**
 * Opens the log and the objects of a cluster that exists. Creates no log. Errors: `not-found`,
 * `bad-arguments`, `data-damaged`, `unavailable`.
 *
 * @param notice receives what is wrong and can be read in spite of it
 */
export async function openExisting(
  settings: ClusterSettings,
  notice: (message: string) => void,
): Promise<ExistingCluster> {
  const connection = await connectNats(settings, 'command');
  let log: JetStreamLog | undefined;
  try {
    const manager = await streamManager(connection);
    const config = await streamConfig(manager, settings.name);
    if (!config) throw noLog(settings.name);
    const found = { ...settings, replicas: config.num_replicas };
    log = await openLogOver(connection, found, { newIdentity: newIdentity(Date.now()), notice });
    const opened = log;
    const { live } = await openBuckets(connection, found);
    const place = await openSharedPlace(found, 'command', patientTimes);
    const close = async () => void (await Promise.all([opened.abandon(), place.close()]));
    return { log, manager, place, live, close };
  } catch (error) {
    await (log?.abandon() ?? connection.close());
    throw error;
  }
}

function noLog(name: string): AppError {
  const advice = 'Give the URL that the processes of the cluster have as --journal.';
  return new AppError('not-found', `The log servers have no log ${name}. ${advice}`);
}
