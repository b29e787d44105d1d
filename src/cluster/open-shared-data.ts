import type { Identity } from '../store/registry/identity.ts';
import type { JetStreamLog } from './nats/jetstream-log.ts';
import { openSharedLog, type SharedLogOptions } from './nats/open-log.ts';
import { patientTimes } from './objects/nats-bucket.ts';
import { ObjectCheckpoints } from './objects/object-checkpoints.ts';
import { openSharedPlace } from './objects/shared-place.ts';
import type { ClusterSettings } from './settings.ts';

/** What the store of a process shares with the others. */
export interface SharedData {
  readonly log: JetStreamLog;
  readonly identity: Identity;
  readonly checkpoints: ObjectCheckpoints;
}

/** Opens the log, and the checkpoints that cover it. Errors: see `openSharedLog`. */
export async function openSharedData(
  settings: ClusterSettings,
  options: SharedLogOptions,
): Promise<SharedData> {
  const log = await openSharedLog(settings, options);
  const checkpoints = new ObjectCheckpoints({
    open: () => openSharedPlace(settings, 'checkpoints', patientTimes),
    identity: log.identity.name,
    log,
    notice: options.notice ?? (() => {}),
  });
  return { log, identity: log.identity, checkpoints };
}
