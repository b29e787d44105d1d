import { LRUCache } from 'lru-cache';
import type { Header, HttpReply } from '../message.ts';

/** The reply to GET of one representation of a resource, and what conditions are held against. */
export interface KnownReply {
  /** Of the commit that changed the resource last: as long as it is the same, so is the reply. */
  readonly sequence: number;
  /** Of the snapshot that was last found to have that sequence (see `LdpSpace`). */
  version: number;
  readonly entityTag: string;
  readonly state: string;
  /** Milliseconds since 1970. */
  readonly modified: number;
  readonly notModified: HttpReply;
  readonly headers: readonly Header[];
  /** Undefined until somebody wanted the document, and when it is too long to be kept. */
  full: HttpReply | undefined;
}

/** Bytes of the documents that are kept, and of the headers with them. */
const MAX_BYTES = 64 * 1024 * 1024;
/** What an entry takes beside its document: two lists of headers, and its place in the cache. */
const ENTRY_BYTES = 4096;

/** What was sent of late, so that the same need not be written again. It knows nothing of whether that still holds. */
export class LdpReplies {
  readonly #replies = new LRUCache<string, KnownReply>({ maxSize: MAX_BYTES, sizeCalculation: sizeOf });

  get(key: string): KnownReply | undefined {
    return this.#replies.get(key);
  }

  put(key: string, reply: KnownReply): void {
    this.#replies.set(key, reply);
  }
}

function sizeOf({ full }: KnownReply, key: string): number {
  const document = full?.body instanceof Uint8Array ? full.body.length : 0;
  return document + 2 * key.length + ENTRY_BYTES;
}
