import type { Result } from '../../errors.ts';
import type { LdpParts } from '../../pool/messages.ts';
import type { Pool } from '../../pool/pool.ts';
import type { StoreClient } from '../../store/client.ts';
import type { OnAbort } from '../payload.ts';

/** Representations of RDF sources of the LDP space as documents (http-api L-10, 5.5). */
export class LdpDocuments {
  readonly #store: Pick<StoreClient, 'snapshot'>;
  readonly #pool: Pick<Pool, 'readRepresentation' | 'serialize'>;

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
    onAbort: OnAbort,
  ): Promise<Result<Uint8Array | AsyncIterable<Uint8Array>>> {
    const { snapshot } = this.#store;
    const source = { ldp: uri, parts };
    const info = { group: 'Exporter', label: 'RDF export', detail: { format: mediaType, resource: uri } };
    const short = await this.#pool.readRepresentation(source, mediaType, snapshot, info, onAbort);
    if (!short.ok || short.value) return short as Result<Uint8Array>;
    return this.#pool.serialize(source, mediaType, snapshot, info, onAbort);
  }
}
