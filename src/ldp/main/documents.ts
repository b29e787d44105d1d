import type { Caller } from '../../base/caller.ts';
import { SharedWork } from '../../base/shared-work.ts';
import type { Result } from '../../errors.ts';
import type { LdpParts } from '../../pool/messages.ts';
import type { Pool } from '../../pool/pool.ts';
import type { SnapshotDescriptor } from '../../snapshot/descriptor.ts';
import type { StoreClient } from '../../store/main/client.ts';
import { partsVariant } from './preferred-parts.ts';

/** Representations of RDF sources of the LDP space as documents (http-api L-10, 5.5). */
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
   * The resource as the newest snapshot at the time of the call has it: whole when it is small, else chunk by chunk as the
   * client takes them.
   */
  async read(
    uri: string,
    parts: LdpParts,
    mediaType: string,
    caller: Caller,
  ): Promise<Result<Uint8Array | AsyncIterable<Uint8Array>>> {
    const { snapshot } = this.#store;
    const source = { ldp: uri, parts };
    const detail = { format: mediaType, resource: uri };
    const info = { group: 'Exporter', label: 'RDF export', unit: 'bytes', detail } as const;
    const key = `${mediaType} ${partsVariant(parts)} ${uri}`;
    const short = await this.#shortOnes(snapshot).join(key, caller, (caller) =>
      this.#pool.readRepresentation(source, mediaType, snapshot, info, caller),
    );
    if (!short.ok || short.value) return short as Result<Uint8Array>;
    return this.#pool.serialize(source, mediaType, snapshot, info, caller);
  }

  /** What is read of one snapshot: when a resource has changed, all who watch it ask for the same at once. */
  #shortOnes(snapshot: SnapshotDescriptor): SharedWork<Result<Uint8Array | null>> {
    if (snapshot !== this.#snapshot) {
      this.#snapshot = snapshot;
      this.#short = new SharedWork();
    }
    return this.#short;
  }
}
