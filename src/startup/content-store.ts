import { join, resolve } from 'node:path';
import type { ClusterSettings } from '../cluster/settings.ts';
import type { Config } from '../config.ts';
import { ContentFiles } from '../store/content/storage.ts';
import type { ContentStore } from '../store/content/store-interface.ts';

const HOUR_MS = 3_600_000;

interface ClusterParts {
  readonly settings: ClusterSettings;
  /** Whether this process holds the lease now. */
  readonly holdsLease: () => boolean;
}

/** Opens the store of content: local files, and in a cluster objects that these are a cache of. */
export async function openContent(config: Config, cluster: ClusterParts | undefined): Promise<ContentStore> {
  const directory = config.memory ? null : join(resolve(config.data), 'content');
  const local = await ContentFiles.open(directory);
  if (!cluster) return local;
  // Loads what a cluster needs only if there is one.
  const { openSharedContent } = await import('../cluster/objects/open-content.ts');
  return openSharedContent(local, cluster.settings, {
    cacheMax: config.contentCache,
    graceMs: config.contentGrace * HOUR_MS,
    mayRemove: cluster.holdsLease,
  });
}
