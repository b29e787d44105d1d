import type { Disk } from '../../journal/disk/disk.ts';

/** How much of a checkpoint has been fetched, in bytes. */
export interface FetchProgress {
  readonly commit: number;
  readonly done: number;
  readonly total: number;
}

/** The checkpoints that the processes of a cluster share. */
export interface SharedCheckpoints {
  /**
   * Makes the newest shared checkpoint the only one in a directory; if there is no shared one, the
   * directory has none afterwards. For a start.
   */
  fetch(disk: Disk): Promise<void>;
  /**
   * Lets the log know the newest shared checkpoint, which another process may have written. Error
   * `unavailable`.
   */
  refresh(): Promise<void>;
  /**
   * Makes a checkpoint that was installed in the directory the newest shared one.
   *
   * @param files names of the image and the manifest
   */
  install(files: readonly string[], sequence: number): Promise<void>;
}
