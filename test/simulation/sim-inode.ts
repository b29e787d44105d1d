const sectorBytes = 512;

/** The bytes of a simulated file: as the cache has them, and as the medium has them. */
export class SimInode {
  size = 0;
  #cached = Buffer.alloc(0);
  #medium = Buffer.alloc(0);
  #mediumSize = 0;
  /** Sectors that the next sync will write. */
  #dirty = new Set<number>();
  /** Sizes since the last sync, oldest first; the file may have any of them after a power cut. */
  #sizes: number[] = [];

  bytes(): Uint8Array {
    return this.#cached.subarray(0, this.size);
  }

  append(bytes: Uint8Array): void {
    this.#cached = grown(this.#cached, this.size + bytes.length);
    this.#cached.set(bytes, this.size);
    this.#markDirty(this.size, this.size + bytes.length);
    this.#resize(this.size + bytes.length);
  }

  truncate(size: number): void {
    if (size >= this.size) return;
    this.#cached.fill(0, size, this.size);
    this.#markDirty(size, this.size);
    this.#resize(size);
  }

  sync(): void {
    for (const sector of this.#dirty) this.#write(sector);
    this.#dirty.clear();
    this.#mediumSize = this.size;
    this.#sizes = [];
  }

  /** Some sectors are written; the others are taken for written. */
  failSync(random: () => number): void {
    for (const sector of this.#dirty) if (random() < 0.5) this.#write(sector);
    this.#dirty.clear();
  }

  /** Power cut: the cache is lost, and some of it may have been written before. */
  crash(random: () => number): void {
    const share = [0, 0.5, 1][Math.floor(random() * 3)]!;
    for (const sector of this.#dirty) if (random() < share) this.#write(sector);
    this.size = this.#sizeAfterCrash(random);
    this.#medium = grown(this.#medium, this.size);
    this.#medium.fill(0, this.size);
    this.#cached = Buffer.from(this.#medium);
    this.#mediumSize = this.size;
    this.#dirty.clear();
    this.#sizes = [];
  }

  #sizeAfterCrash(random: () => number): number {
    const history = [this.#mediumSize, ...this.#sizes];
    const place = Math.floor(random() * history.length);
    const [size, next] = [history[place]!, history[place + 1]];
    // Only growth happens in steps.
    if (next === undefined || next < size) return size;
    return size + Math.floor(random() * (next - size + 1));
  }

  #resize(size: number): void {
    this.size = size;
    this.#sizes.push(size);
  }

  #markDirty(from: number, to: number): void {
    for (let sector = Math.floor(from / sectorBytes); sector * sectorBytes < to; sector++)
      this.#dirty.add(sector);
  }

  #write(sector: number): void {
    const from = sector * sectorBytes;
    const to = Math.min(from + sectorBytes, this.#cached.length);
    this.#medium = grown(this.#medium, to);
    if (from < to) this.#cached.copy(this.#medium, from, from, to);
  }
}

/** A buffer of at least this many bytes that begins with the given one; zeros follow. */
function grown(buffer: Buffer<ArrayBuffer>, bytes: number): Buffer<ArrayBuffer> {
  if (buffer.length >= bytes) return buffer;
  const larger = Buffer.alloc(Math.max(bytes, buffer.length * 2));
  larger.set(buffer);
  return larger;
}
