/**
 * What the durable code needs of a disk. Paths are relative to the data directory, with `/` between
 * segments; `''` is the data directory itself. Every failure rejects with an `Error` whose `code` is the POSIX
 * name (`ENOENT`, `ENOSPC`, `EIO`, …).
 *
 * What survives a crash: the bytes of a file up to its last `sync`, and the entries of a directory up to its last
 * `syncDirectory`. All else may be there, be lost, or be there in part.
 */
export interface Disk {
  /**
   * Where other threads find the same files: an absolute path. Undefined for a disk that only this
   * thread has.
   */
  readonly root?: string;
  open(path: string, mode: OpenMode): Promise<DiskFile>;
  /** Names (not paths) of the files and directories in a directory, sorted. */
  list(directory: string): Promise<string[]>;
  /** Atomically, replacing what has the new name. */
  rename(from: string, to: string): Promise<void>;
  remove(path: string): Promise<void>;
  /** Makes creations, renames and removals in this directory durable. */
  syncDirectory(path: string): Promise<void>;
}

/** `read` and `append` need an existing file (`ENOENT`); `create` appends to a file that must be new (`EEXIST`). */
export type OpenMode = 'read' | 'append' | 'create';

export interface DiskFile {
  /** Bytes. */
  size(): Promise<number>;
  /** Reads into `target` from a byte offset; the number of bytes read, 0 only at the end. May be short. */
  read(target: Uint8Array, offset: number): Promise<number>;
  /** Writes the chunks one after another at the end. When it rejects, some of the bytes may have been written. */
  append(chunks: readonly Uint8Array[]): Promise<void>;
  /** Makes all bytes and the size durable. After it rejected, nothing is known of what was written since the last. */
  sync(): Promise<void>;
  /** Cuts the file to a smaller size. */
  truncate(size: number): Promise<void>;
  close(): Promise<void>;
}

/** Fills `target` from an offset by as many reads as it takes; fewer bytes are read only at the file's end. */
export async function readFully(file: DiskFile, target: Uint8Array, offset: number): Promise<number> {
  let done = 0;
  while (done < target.length) {
    const read = await file.read(target.subarray(done), offset + done);
    if (read === 0) break;
    done += read;
  }
  return done;
}

/** Opens a file for one use, and closes it whatever becomes of that. */
export async function withFile<T>(
  disk: Disk,
  path: string,
  mode: OpenMode,
  use: (file: DiskFile) => Promise<T>,
): Promise<T> {
  const file = await disk.open(path, mode);
  try {
    return await use(file);
  } finally {
    await file.close();
  }
}
