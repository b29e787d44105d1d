import { type Restricted, visiblePatterns } from '../../base/graph-access.ts';
import type { SnapshotDescriptor } from '../../snapshot/descriptor.ts';
import type { SnapshotReader } from '../../snapshot/read/reader.ts';
import { SnapshotCache } from '../../snapshot/read/snapshot-cache.ts';
import type { StoreClient } from '../../store/main/client.ts';
import { contentOf, type RegisteredContent } from '../../store/registry/resource-registry.ts';
import { showsLdp } from '../model/visibility.ts';
import { type LdpEntry, ldpEntry } from '../registry.ts';

/**
 * Queries about the LDP space, answered synchronously from the newest snapshot: about a microsecond
 * each.
 */
export class LdpSpace {
  /** URI of the root container; all other URIs start with it and a slash. */
  readonly root: string;
  readonly #store: Pick<StoreClient, 'snapshot' | 'state'>;
  readonly #snapshots = new SnapshotCache();
  #seen: SnapshotDescriptor | undefined;
  #version = 0;

  constructor(store: Pick<StoreClient, 'snapshot' | 'state'>, base: string) {
    this.#store = store;
    this.root = `${base}/ldp`;
  }

  /** A number that changes with each snapshot. While it stays the same, so do all results. */
  get version(): number {
    const { snapshot } = this.#store;
    if (snapshot !== this.#seen) {
      this.#seen = snapshot;
      this.#version++;
    }
    return this.#version;
  }

  /** Returns `gone` for a deleted resource (http-api L-6); undefined if there never was one. */
  entry(uri: string): LdpEntry | 'gone' | undefined {
    return ldpEntry(this.#reader, uri);
  }

  /** The same for a client: undefined also for what is hidden from it (http-api G-163). */
  shown(uri: string, client: Restricted): LdpEntry | 'gone' | undefined {
    return this.isShown(uri, client) ? this.entry(uri) : undefined;
  }

  isShown(uri: string, client: Restricted): boolean {
    return showsLdp(visiblePatterns(client), uri);
  }

  /** Returns the content of a binary. */
  content(uri: string): RegisteredContent | undefined {
    return contentOf(this.#reader, this.#reader.find(`<${uri}>`));
  }

  /** The `<state>` of the entity tags of a resource. */
  state({ sequence }: Pick<LdpEntry, 'sequence'>): string {
    return this.#store.state(sequence);
  }

  get #reader(): SnapshotReader {
    return this.#snapshots.open(this.#store.snapshot);
  }
}
