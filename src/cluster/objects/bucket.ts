/** An object as a bucket has it. */
export interface StoredObject {
  readonly name: string;
  readonly bytes: number;
  /** SHA-256 of the bytes, hexadecimal. */
  readonly digest: string;
  /** When it was stored or touched, by the clock of the log servers, in milliseconds since 1970. */
  readonly modified: number;
  /** A number that each change of the object increases. */
  readonly revision: number;
}

/** Names and digests of what is to be stored; undefined where the digest is not known before. */
export interface NewObject {
  readonly name: string;
  readonly digest?: string;
}

/**
 * Objects that all processes of a cluster share: named bytes with their digest, complete or not
 * there at all. Changes are ordered: `touch` and `remove` only change the object that was found,
 * never what another process has stored since.
 *
 * Every method throws `unavailable` when the objects can't be reached now.
 */
export interface ObjectBucket {
  /** The time by the clock of the log servers, in milliseconds since 1970. */
  clock(): Promise<number>;
  /** Returns undefined if there is no such object. Sees everything that was stored before. */
  find(name: string): Promise<StoredObject | undefined>;
  /** Yields all objects whose name has the prefix, in any order. */
  list(prefix: string): AsyncIterable<StoredObject>;
  /**
   * Stores an object, and replaces one with the same name; resolves when it is durable. Throws
   * `data-damaged` if the bytes do not have the digest, and then nothing has changed; and
   * `store-full`. Errors of the source are passed on.
   */
  put(object: NewObject, bytes: AsyncIterable<Uint8Array>): Promise<StoredObject>;
  /** Sets the time of an object to now. Returns false if it has changed since it was found. */
  touch(object: StoredObject): Promise<boolean>;
  /** Removes an object. Returns false if it has changed since it was found. */
  remove(object: StoredObject): Promise<boolean>;
  /**
   * Reads an object, piece by piece as they are asked for. Each piece is valid for good. Throws
   * `data-damaged` at the end if the bytes do not have the digest, and `not-found` if the object
   * has been removed. One server may have damaged bytes: after that error the next read asks
   * another one.
   */
  read(object: StoredObject): AsyncIterable<Uint8Array>;
  /**
   * Removes what uploads that did not complete have left, if nothing was added for `graceMs`.
   * Returns their number.
   */
  removeUnfinished(graceMs: number): Promise<number>;
}
