/**
 * The operations that durable code needs from a disk. Paths are relative to the data directory,
 * with `/` between segments; `''` is the data directory itself. Every failure rejects with an
 * `Error` whose `code` is the POSIX name (`ENOENT`, `ENOSPC`, `EIO`, …).
 *
 * What survives a crash: the bytes of a file up to its last `sync`, and the entries of a directory
 * up to its last `syncDirectory`. Everything else may be present, lost or partly present.
 */
export interface Disk {
  /**
   * The absolute path under which other threads find the same files. Undefined for a disk that only
   * this thread has.
   */
  readonly root?: string;
  open(path: string, mode: OpenMode): Promise<DiskFile>;
  /** Names (not paths) of the files and directories in a directory, sorted. */
  list(directory: string): Promise<string[]>;
  /** Renames atomically, replacing an existing file with the new name. */
  rename(from: string, to: string): Promise<void>;
  remove(path: string): Promise<void>;
  /** Makes creations, renames and removals in this directory durable. */
  syncDirectory(path: string): Promise<void>;
}

/**
 * `read` and `append` need an existing file (`ENOENT`); `create` appends to a file that must be new
 * (`EEXIST`).
 */
export type OpenMode = 'read' | 'append' | 'create';

export interface DiskFile {
  /** Returns the size in bytes. */
  size(): Promise<number>;
  /**
   * Reads into `target` from a byte offset; returns the number of bytes read, which is 0 only at
   * the end. May read fewer bytes than requested.
   */
  read(target: Uint8Array, offset: number): Promise<number>;
  /** Appends the chunks in order. If it rejects, some of the bytes may have been written. */
  append(chunks: readonly Uint8Array[]): Promise<void>;
  /**
   * Makes all bytes and the size durable. If it rejects, the state of all writes since the last
   * sync is unknown.
   */
  sync(): Promise<void>;
  /** Cuts the file to a smaller size. */
  truncate(size: number): Promise<void>;
  close(): Promise<void>;
}

/** Bytes that can be read from every offset. */
export type ReadableFile = Pick<DiskFile, 'read'>;

/**
 * Fills `target` from an offset with as many reads as necessary; reads fewer bytes only at the end
 * of the file.
 */
export async function readFully(file: ReadableFile, target: Uint8Array, offset: number): Promise<number> {
  let done = 0;
  while (done < target.length) {
    const read = await file.read(target.subarray(done), offset + done);
    if (read === 0) break;
    done += read;
  }
  return done;
}

/** Opens a file for one use, and always closes it. */
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
