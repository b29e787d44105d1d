import type { KeepRule } from './keep.ts';

/** Options of `pathpool backup` that make it add to a backup repository. */
export interface RepositoryOptions {
  /** Undefined to keep all backups. */
  readonly keep: KeepRule | undefined;
  /**
   * From the beginning of a backup to that of the next, in milliseconds; undefined for just one.
   */
  readonly everyMs: number | undefined;
}

/** Which data are restored. */
export type RestorePoint =
  | {
      readonly kind: 'commit';
      readonly commit: number;
      /** The data set, where the user has named it. */
      readonly identity?: string;
    }
  /** The data at that time, in milliseconds since 1970. */
  | { readonly kind: 'time'; readonly time: number };
