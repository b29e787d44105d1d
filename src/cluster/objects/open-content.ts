import type { ClusterSettings } from '../settings.ts';
import { usualTimes } from './nats-bucket.ts';
import { type LocalContent, SharedContent, type SharedContentParts } from './shared-content.ts';
import { openSharedPlace } from './shared-place.ts';

/** Opens the content of a cluster, of which `local` is the cache of this process. */
export async function openSharedContent(
  local: LocalContent,
  settings: ClusterSettings,
  options: Pick<SharedContentParts, 'cacheMax' | 'graceMs' | 'mayRemove' | 'catchUp'>,
): Promise<SharedContent> {
  const { objects, close } = await openSharedPlace(settings, 'content', usualTimes);
  return new SharedContent({ local, objects, onClose: close, ...options });
}
