import type { Disk, DiskFile, OpenMode } from '../journal/disk/disk.ts';
import type { WorkDisplay } from './work-display.ts';

/** A disk that shows which file is read, and how far. */
export class ObservedDisk implements Disk {
  readonly root?: string;
  readonly #disk: Disk;
  readonly #display: WorkDisplay;

  constructor(disk: Disk, display: WorkDisplay) {
    if (disk.root !== undefined) this.root = disk.root;
    this.#disk = disk;
    this.#display = display;
  }

  async open(path: string, mode: OpenMode): Promise<DiskFile> {
    const file = await this.#disk.open(path, mode);
    if (mode !== 'read') return file;
    let size: number | undefined;
    return {
      size: () => file.size(),
      read: async (target, offset) => {
        size ??= await file.size();
        const bytes = await file.read(target, offset);
        this.#display.show(`reading ${path}`, offset + bytes, size);
        return bytes;
      },
      append: (chunks) => file.append(chunks),
      sync: () => file.sync(),
      truncate: (to) => file.truncate(to),
      close: () => file.close(),
    };
  }

  list(directory: string): Promise<string[]> {
    return this.#disk.list(directory);
  }

  rename(from: string, to: string): Promise<void> {
    return this.#disk.rename(from, to);
  }

  remove(path: string): Promise<void> {
    return this.#disk.remove(path);
  }

  syncDirectory(path: string): Promise<void> {
    return this.#disk.syncDirectory(path);
  }
}
