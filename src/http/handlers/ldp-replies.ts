import { LRUCache } from 'lru-cache';
import type { FormattedHeaders } from '../header-lines.ts';
import type { HttpReply } from '../message.ts';

/** The reply to GET of one representation of a resource, and what conditions are held against. */
export interface KnownReply {
  readonly uri: string;
  /** Of the commit that changed the resource last: as long as it is the same, so is the reply. */
  readonly sequence: number;
  /** Of the snapshot that was last found to have that sequence (see `LdpSpace`). */
  version: number;
  readonly entityTag: string;
  readonly state: string;
  /** Milliseconds since 1970. */
  readonly modified: number;
  readonly notModified: HttpReply;
  readonly lines: FormattedHeaders;
  /** Whether there is a document without doubt; of RDF/XML that shows when it is written. */
  readonly isCertain: boolean;
  /** Undefined until somebody wanted the document, and when it is too long to be kept. */
  full: HttpReply | undefined;
}

/** Replies that differ in format or in what is left out. */
type Variants = ReadonlyMap<string, KnownReply>;

/** Bytes of the documents that are kept, and of the headers with them. */
const MAX_BYTES = 64 * 1024 * 1024;
/** What a reply takes beside its document: two heads, and its place in the cache. */
const ENTRY_BYTES = 4096;

/** What was sent of late, so that the same need not be written again. It knows nothing of whether that still holds. */
export class LdpReplies {
  readonly #replies = new LRUCache<string, Variants>({ maxSize: MAX_BYTES, sizeCalculation: sizeOf });

  /** `path`: as the request has it, so that nothing need be put together to ask. `variant`: one of few strings. */
  get(path: string, variant: string): KnownReply | undefined {
    return this.#replies.get(path)?.get(variant);
  }

  put(path: string, variant: string, reply: KnownReply): void {
    const others = [...(this.#replies.get(path) ?? [])].filter(
      ([, { sequence }]) => sequence === reply.sequence,
    );
    this.#replies.set(path, new Map(others).set(variant, reply));
  }
}

function sizeOf(variants: Variants, path: string): number {
  let bytes = 2 * path.length;
  for (const { full } of variants.values()) {
    bytes += ENTRY_BYTES + (full?.body instanceof Uint8Array ? full.body.length : 0);
  }
  return bytes;
}
