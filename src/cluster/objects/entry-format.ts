import { Base64UrlPaddedCodec } from '@nats-io/obj';
import type { StoredObject } from './bucket.ts';

/** The description of an object, as all clients of NATS write it. */
export interface ObjectEntry {
  readonly name: string;
  readonly bucket: string;
  /** Part of the subject of the pieces. */
  readonly nuid: string;
  readonly size: number;
  readonly chunks: number;
  /** `SHA-256=` and the digest in base64url. */
  readonly digest: string;
  readonly mtime: string;
  readonly description?: string;
  readonly options?: { readonly max_chunk_size: number };
  readonly deleted?: boolean;
}

export interface FoundObject extends StoredObject {
  readonly entry: ObjectEntry;
}

const DIGEST = 'SHA-256=';

/**
 * Folders whose entries have subjects of their own, so that the log servers can list them without
 * all others. Other clients list these objects, too, but can't get them by name.
 */
const FOLDERS: ReadonlySet<string> = new Set(['checkpoint', 'log', 'unfinished']);

/** `digest`: SHA-256. */
export function digestField(digest: Buffer): string {
  // Other clients expect the padding.
  const text = digest.toString('base64url');
  return `${DIGEST}${text}${'='.repeat((4 - (text.length % 4)) % 4)}`;
}

/** Returns undefined if the entry says that the object was deleted. */
export function objectOf(entry: ObjectEntry, modified: number, revision: number): FoundObject | undefined {
  if (entry.deleted) return undefined;
  const digest = Buffer.from(entry.digest.slice(DIGEST.length), 'base64url').toString('hex');
  return { name: entry.name, bytes: entry.size, digest, modified, revision, entry };
}

/** The subjects of a bucket's stream. */
export class BucketSubjects {
  readonly #bucket: string;

  constructor(bucket: string) {
    this.#bucket = bucket;
  }

  /** The entries of all objects whose names have a prefix, and perhaps of others. */
  entries(prefix: string): string {
    return `${this.#folder(prefix)}.>`;
  }

  entry(name: string): string {
    return `${this.#folder(name)}.${Base64UrlPaddedCodec.encode(name)}`;
  }

  pieces(nuid: string): string {
    return `$O.${this.#bucket}.C.${nuid}`;
  }

  #folder(name: string): string {
    const [folder = '', rest] = name.split('/', 2);
    const all = `$O.${this.#bucket}.M`;
    return rest !== undefined && FOLDERS.has(folder) ? `${all}.${folder}` : all;
  }
}
