import { createHash } from 'node:crypto';
import type { NewObject, ObjectBucket, StoredObject } from '../../src/cluster/objects/bucket.ts';
import { AppError } from '../../src/errors.ts';

interface Kept {
  readonly object: StoredObject;
  readonly pieces: readonly Uint8Array[];
}

/** Objects in memory, with the faults of log servers on demand. Several handles may share it. */
export class FakeObjectBucket implements ObjectBucket {
  readonly #kept = new Map<string, Kept>();
  #revision = 0;
  /** The clock of the log servers. */
  now = Date.now;
  isAway = false;
  /** Number of pieces that can still be read or stored before the servers are away. */
  piecesLeft = Number.POSITIVE_INFINITY;
  /** The names of objects that were read, in order. */
  readonly reads: string[] = [];
  /** The names of objects that were stored, in order. */
  readonly puts: string[] = [];
  /** Called before the entry of an object changes. */
  beforeChange: (change: 'put' | 'touch' | 'remove') => Promise<void> = async () => {};

  async clock(): Promise<number> {
    this.#require();
    return this.now();
  }

  async find(name: string): Promise<StoredObject | undefined> {
    this.#require();
    return this.#kept.get(name)?.object;
  }

  async *list(prefix: string): AsyncGenerator<StoredObject> {
    this.#require();
    for (const [name, { object }] of [...this.#kept]) if (name.startsWith(prefix)) yield object;
  }

  async put({ name, digest }: NewObject, bytes: AsyncIterable<Uint8Array>): Promise<StoredObject> {
    this.#require();
    const hash = createHash('sha256');
    const pieces: Uint8Array[] = [];
    for await (const piece of bytes) {
      this.#take();
      hash.update(piece);
      pieces.push(Uint8Array.from(piece));
    }
    const found = hash.digest('hex');
    if (digest !== undefined && digest !== found) throw new AppError('data-damaged', `${name} is damaged`);
    await this.beforeChange('put');
    this.#require();
    const size = pieces.reduce((sum, { length }) => sum + length, 0);
    const object = { name, bytes: size, digest: found, modified: this.now(), revision: ++this.#revision };
    this.#kept.set(name, { object, pieces });
    this.puts.push(name);
    return object;
  }

  async touch(object: StoredObject): Promise<boolean> {
    await this.beforeChange('touch');
    this.#require();
    const kept = this.#same(object);
    if (!kept) return false;
    const touched = { ...kept.object, modified: this.now(), revision: ++this.#revision };
    this.#kept.set(object.name, { ...kept, object: touched });
    return true;
  }

  async remove(object: StoredObject): Promise<boolean> {
    await this.beforeChange('remove');
    this.#require();
    return this.#same(object) !== undefined && this.#kept.delete(object.name);
  }

  async *read({ name, digest }: StoredObject): AsyncGenerator<Uint8Array> {
    this.#require();
    this.reads.push(name);
    const hash = createHash('sha256');
    for (const piece of this.#kept.get(name)?.pieces ?? []) {
      if (!this.#kept.has(name)) break;
      this.#take();
      hash.update(piece);
      yield piece;
    }
    if (!this.#kept.has(name)) throw new AppError('not-found', `${name} was removed`);
    if (hash.digest('hex') !== digest) throw new AppError('data-damaged', `${name} is damaged`);
  }

  async removeUnfinished(): Promise<number> {
    this.#require();
    return 0;
  }

  /** Changes a byte of an object where it is kept. */
  damage(name: string): void {
    const piece = this.#kept.get(name)!.pieces[0]!;
    piece[0]! ^= 1;
  }

  names(): string[] {
    return [...this.#kept.keys()].sort();
  }

  #same({ name, revision }: StoredObject): Kept | undefined {
    const kept = this.#kept.get(name);
    return kept?.object.revision === revision ? kept : undefined;
  }

  #take(): void {
    if (this.piecesLeft-- <= 0) this.isAway = true;
    this.#require();
  }

  #require(): void {
    if (this.isAway) throw new AppError('unavailable', 'The log servers are away.', { retryAfter: 1 });
  }
}
