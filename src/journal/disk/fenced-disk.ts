import type { Disk, DiskFile, OpenMode } from './disk.ts';

type RequireOwnership = () => Promise<void>;

/**
 * The disk of a process that may have lost its data directory without noticing. Nothing counts as
 * durable, and no name is changed, before a check that the directory is still its own. A process
 * can still be suspended between that check and a change of names. Acknowledgements are safe
 * whenever it is suspended.
 */
export class FencedDisk implements Disk {
  readonly root?: string;
  readonly #disk: Disk;
  readonly #requireOwnership: RequireOwnership;

  /** `requireOwnership` throws if the directory belongs to another process. */
  constructor(disk: Disk, requireOwnership: RequireOwnership) {
    this.#disk = disk;
    if (disk.root !== undefined) this.root = disk.root;
    this.#requireOwnership = requireOwnership;
  }

  async open(path: string, mode: OpenMode): Promise<DiskFile> {
    if (mode === 'create') await this.#requireOwnership();
    const file = await this.#disk.open(path, mode);
    if (mode !== 'read') await this.#requireStillOwn(file);
    return new FencedFile(file, this.#requireOwnership);
  }

  list(directory: string): Promise<string[]> {
    return this.#disk.list(directory);
  }

  async rename(from: string, to: string): Promise<void> {
    await this.#requireOwnership();
    await this.#disk.rename(from, to);
  }

  async remove(path: string): Promise<void> {
    await this.#requireOwnership();
    await this.#disk.remove(path);
  }

  async syncDirectory(path: string): Promise<void> {
    await this.#disk.syncDirectory(path);
    await this.#requireOwnership();
  }

  /** A file opened for writing may already have been put there by the new owner. */
  async #requireStillOwn(file: DiskFile): Promise<void> {
    try {
      await this.#requireOwnership();
    } catch (error) {
      await file.close();
      throw error;
    }
  }
}

class FencedFile implements DiskFile {
  readonly #file: DiskFile;
  readonly #requireOwnership: RequireOwnership;

  constructor(file: DiskFile, requireOwnership: RequireOwnership) {
    this.#file = file;
    this.#requireOwnership = requireOwnership;
  }

  size(): Promise<number> {
    return this.#file.size();
  }

  read(target: Uint8Array, offset: number): Promise<number> {
    return this.#file.read(target, offset);
  }

  append(chunks: readonly Uint8Array[]): Promise<void> {
    return this.#file.append(chunks);
  }

  async sync(): Promise<void> {
    await this.#file.sync();
    await this.#requireOwnership();
  }

  /** Checks ownership first: the file may be the new owner's. */
  async truncate(size: number): Promise<void> {
    await this.#requireOwnership();
    await this.#file.truncate(size);
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}
