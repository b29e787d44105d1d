import { openSharedLog, type SharedLogOptions } from './nats/open-log.ts';
import { BucketCheckpoints } from './objects/bucket-checkpoints.ts';
import { patientTimes } from './objects/nats-bucket.ts';
import { openSharedPlace } from './objects/shared-place.ts';
import type { ClusterSettings } from './settings.ts';

/** Opens the log, and the checkpoints that cover it. Errors: see `openSharedLog`. */
export async function openSharedData(settings: ClusterSettings, options: SharedLogOptions) {
  const log = await openSharedLog(settings, options);
  const checkpoints = new BucketCheckpoints({
    open: () => openSharedPlace(settings, 'checkpoints', patientTimes),
    identity: log.identity.name,
    log,
    notice: options.notice ?? (() => {}),
  });
  return { log, identity: log.identity, checkpoints };
}
