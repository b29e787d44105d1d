import { openSharedContent } from '../../src/cluster/objects/open-content.ts';
import type { SharedContent } from '../../src/cluster/objects/shared-content.ts';
import { openSharedData } from '../../src/cluster/open-shared-data.ts';
import type { ClusterSettings } from '../../src/cluster/settings.ts';
import { openNodeDisk } from '../../src/journal/disk/node-disk.ts';
import { ContentFiles } from '../../src/store/content/storage.ts';
import { recoverSharedStore } from '../../src/store/recovery/open-shared.ts';
import { newIdentity } from '../../src/store/registry/identity.ts';
import type { Store } from '../../src/store/thread/store.ts';
import type { Scope } from './scope.ts';
import { commit, maintain } from './stores.ts';
import { temporaryDirectory } from './temporary-directory.ts';

/** The store and the content of one process of a cluster, which may write. */
export interface ClusterProcess {
  readonly store: Store;
  readonly content: SharedContent;
  readonly directory: string;
  /** Writes a checkpoint and shares it. */
  checkpoint(): Promise<void>;
  /** Stores bytes as the content of a resource. */
  putContent(resource: string, bytes: Uint8Array): Promise<string>;
}

/** Opens it over log servers, with an empty directory; it ends with the scope. */
export async function openClusterProcess(scope: Scope, settings: ClusterSettings): Promise<ClusterProcess> {
  const directory = await temporaryDirectory(scope);
  const disk = await openNodeDisk(directory);
  const data = await openSharedData(settings, { newIdentity: newIdentity(Date.now()) });
  const limits = { journalMax: 0, dataMax: 2 ** 31, recover: false };
  const store = await recoverSharedStore(disk, data, limits);
  store.shared!.setWriter(true);
  const content = await openSharedContent(await ContentFiles.open(`${directory}/content`), settings, {
    cacheMax: 2 ** 30,
    graceMs: 86_400_000,
    mayRemove: () => true,
    catchUp: async () => true,
  });
  scope.after(() => Promise.all([store.close(), content.close()]));
  return {
    store,
    content,
    directory,
    checkpoint: async () => void (await maintain(store, disk)),
    putContent: (resource, bytes) => putContent(store, content, resource, bytes),
  };
}

async function putContent(store: Store, content: SharedContent, resource: string, bytes: Uint8Array) {
  const source = async function* () {
    yield bytes;
  };
  const file = await content.write(source());
  const stored = { ...file, contentType: 'text/plain', modified: Date.now() };
  await commit(store, { kind: 'register', resource }, { kind: 'content', resource, content: stored });
  content.unpin(file.digest);
  return file.digest;
}
