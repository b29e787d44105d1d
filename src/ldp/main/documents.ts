import type { Caller } from '../../base/caller.ts';
import { SharedWork } from '../../base/shared-work.ts';
import type { Result } from '../../errors.ts';
import type { LdpParts } from '../../pool/messages.ts';
import type { Pool } from '../../pool/pool.ts';
import type { SnapshotDescriptor } from '../../snapshot/descriptor.ts';
import type { StoreClient } from '../../store/main/client.ts';
import { partsVariant } from './preferred-parts.ts';

/** Serialises RDF sources of the LDP space (http-api L-10, 5.5). */
export class LdpDocuments {
  readonly #store: Pick<StoreClient, 'snapshot'>;
  readonly #pool: Pick<Pool, 'readRepresentation' | 'serialize'>;
  #snapshot: SnapshotDescriptor | undefined;
  #short = new SharedWork<Result<Uint8Array | null>>();

  constructor(store: Pick<StoreClient, 'snapshot'>, pool: Pick<Pool, 'readRepresentation' | 'serialize'>) {
    this.#store = store;
    this.#pool = pool;
  }

  /**
   * Returns the resource as it is in the newest snapshot at the time of the call: a small one as a
   * whole, a large one in chunks as the client reads them.
   */
  async read(
    uri: string,
    parts: LdpParts,
    mediaType: string,
    caller: Caller,
  ): Promise<Result<Uint8Array | AsyncIterable<Uint8Array>>> {
    const { snapshot } = this.#store;
    const request = { snapshot, source: { ldp: uri, parts }, mediaType };
    const detail = { format: mediaType, resource: uri };
    const info = { group: 'Exporter', label: 'RDF export', unit: 'bytes', detail } as const;
    const key = `${mediaType} ${partsVariant(parts)} ${uri}`;
    const short = await this.#shortOnes(snapshot).join(key, caller, (caller) =>
      this.#pool.readRepresentation(request, info, caller),
    );
    if (!short.ok || short.value) return short as Result<Uint8Array>;
    return this.#pool.serialize(request, info, caller);
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
