import type { Caller } from '../../base/caller.ts';
import { visiblePatterns } from '../../base/graph-access.ts';
import { SharedWork } from '../../base/shared-work.ts';
import type { Result } from '../../errors.ts';
import type { LdpParts } from '../../pool/messages.ts';
import type { Pool } from '../../pool/pool.ts';
import type { SnapshotDescriptor } from '../../snapshot/descriptor.ts';
import type { StoreClient } from '../../store/main/client.ts';
import { partsVariant } from './preferred-parts.ts';

type DocumentStore = Pick<StoreClient, 'snapshot' | 'graphs' | 'state'>;
type DocumentPool = Pick<Pool, 'readRepresentation' | 'serialize' | 'digestLdp'>;

/** What a client that does not see everything sees of an RDF source. */
export interface ShownSource {
  /** The `<state>` of its entity tags for this client. */
  readonly state: string;
  /** The snapshot that it is about. */
  readonly snapshot: SnapshotDescriptor;
}

/** An RDF source to be written. */
export interface LdpSource {
  readonly uri: string;
  readonly parts: LdpParts;
  /** The snapshot to read; by default the newest one. */
  readonly snapshot?: SnapshotDescriptor;
}

/** Serialises RDF sources of the LDP space (http-api L-10, 5.5). */
export class LdpDocuments {
  readonly #store: DocumentStore;
  readonly #pool: DocumentPool;
  #snapshot: SnapshotDescriptor | undefined;
  #short = new SharedWork<Result<Uint8Array | null>>();

  constructor(store: DocumentStore, pool: DocumentPool) {
    this.#store = store;
    this.#pool = pool;
  }

  /**
   * Returns what the client sees of the resource, by default as it is in the newest snapshot at the
   * time of the call: a small one as a whole, a large one in chunks as the client reads them.
   */
  async read(
    { uri, parts, snapshot = this.#store.snapshot }: LdpSource,
    mediaType: string,
    caller: Caller,
  ): Promise<Result<Uint8Array | AsyncIterable<Uint8Array>>> {
    const visible = visiblePatterns(caller);
    const request = { snapshot, source: { ldp: uri, parts }, mediaType, ...(visible && { visible }) };
    const detail = { format: mediaType, resource: uri };
    const info = { group: 'Exporter', label: 'RDF export', unit: 'bytes', detail } as const;
    const key = JSON.stringify([mediaType, partsVariant(parts), uri, visible?.key]);
    const short = await this.#shortOnes(snapshot).join(key, caller, (caller) =>
      this.#pool.readRepresentation(request, info, caller),
    );
    if (!short.ok || short.value) return short as Result<Uint8Array>;
    return this.#pool.serialize(request, info, caller);
  }

  /**
   * Returns the state of an RDF source for a client that does not see everything. It depends on
   * what the client sees alone: on the commit that last changed the user triples, and on all
   * triples. Hidden members change the state that the registry has.
   */
  async shown(uri: string, caller: Caller): Promise<Result<ShownSource>> {
    const { snapshot } = this.#store;
    const visible = visiblePatterns(caller);
    const request = { snapshot, target: uri, ...(visible && { visible }) };
    const changed = this.#store.state(this.#store.graphs.get(uri)?.sequence ?? 0);
    const info = { group: 'Exporter', label: 'RDF export', detail: { resource: uri } } as const;
    const digest = await this.#pool.digestLdp(request, info, caller);
    return digest.ok ? { ok: true, value: { state: changed + digest.value, snapshot } } : digest;
  }

  /**
   * Shares the work for one snapshot: after a resource has changed, all clients that watch it
   * request the same document at once.
   */
  #shortOnes(snapshot: SnapshotDescriptor): SharedWork<Result<Uint8Array | null>> {
    if (snapshot !== this.#snapshot) {
      this.#snapshot = snapshot;
      this.#short = new SharedWork();
    }
    return this.#short;
  }
}
