import { LRUCache } from 'lru-cache';
import type { FormattedHeaders } from '../../http/server/header-lines.ts';
import type { HttpResponse } from '../../http/server/message.ts';

/**
 * The response to a GET of one representation of a resource, and the validators for its
 * preconditions.
 */
export interface KnownResponse {
  readonly uri: string;
  /**
   * Sequence number of the last commit that changed the resource. The response is valid while it
   * stays the same.
   */
  readonly sequence: number;
  /**
   * Version of the latest snapshot in which that sequence number was confirmed (see `LdpSpace`).
   */
  version: number;
  /** Those with which documents were written, see `DocumentVariants`. */
  readonly prefixes: string;
  readonly entityTag: string;
  readonly state: string;
  /** Milliseconds since 1970. */
  readonly modified: number;
  readonly notModified: HttpResponse;
  readonly lines: FormattedHeaders;
  /** Whether the document certainly exists. For RDF/XML that is known only after serialisation. */
  readonly isCertain: boolean;
  /** Undefined until the document has been requested, and if it is too long to be cached. */
  full: HttpResponse | undefined;
}

/** Responses that differ in the format or in the omitted parts. */
type Variants = ReadonlyMap<string, KnownResponse>;

/** Bytes of the cached documents and their headers. */
const MAX_BYTES = 64 * 1024 * 1024;
/** Bytes of an entry besides its document: two heads and the overhead of the cache. */
const ENTRY_BYTES = 4096;

/**
 * A cache of recent responses, which saves serialising the same documents again. It does not check
 * whether they are still valid.
 */
export class LdpResponses {
  readonly #responses = new LRUCache<string, Variants>({ maxSize: MAX_BYTES, sizeCalculation: sizeOf });

  /**
   * `path`: as in the request, so that a look-up needs no string concatenation. `variant`: one of
   * few strings.
   */
  get(path: string, variant: string): KnownResponse | undefined {
    return this.#responses.get(path)?.get(variant);
  }

  put(path: string, variant: string, response: KnownResponse): void {
    const others = [...(this.#responses.get(path) ?? [])].filter(
      ([, { sequence }]) => sequence === response.sequence,
    );
    this.#responses.set(path, new Map(others).set(variant, response));
  }
}

function sizeOf(variants: Variants, path: string): number {
  let bytes = 2 * path.length;
  for (const { full } of variants.values()) {
    bytes += ENTRY_BYTES + (full?.body instanceof Uint8Array ? full.body.length : 0);
  }
  return bytes;
}
