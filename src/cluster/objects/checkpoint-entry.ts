import { newerFormat } from '../../errors.ts';
import type { Entry } from '../membership/entries.ts';
import type { LogPosition } from '../nats/genesis.ts';

/** A file of a checkpoint, and the object with its bytes. */
export interface SharedFile {
  readonly name: string;
  readonly object: string;
  readonly bytes: number;
  /** SHA-256, hexadecimal. */
  readonly digest: string;
}

/** A checkpoint that all processes can load. */
export interface SharedCheckpoint {
  /** Name of the data set's identity. */
  readonly identity: string;
  /** Its newest commit, and where the log continues. */
  readonly position: LogPosition;
  /** When it was shared, in milliseconds since 1970. */
  readonly time: number;
  /** The manifest is the last one. */
  readonly files: readonly SharedFile[];
}

/** The value of the entry `checkpoint`. The log is kept from the one before on. */
export interface CheckpointEntry {
  readonly newest: SharedCheckpoint;
  readonly before?: SharedCheckpoint;
}

/** Its key. */
export const CHECKPOINT_KEY = 'checkpoint';

/** Later versions may change what checkpoints are; this one refuses them. */
export const CHECKPOINT_ENTRY_FORMAT = 1;

export function entryText(entry: CheckpointEntry): string {
  return JSON.stringify({ format: CHECKPOINT_ENTRY_FORMAT, ...entry });
}

/** Throws `newer-format` for an entry of a later version. */
export function readEntry({ value }: Pick<Entry, 'value'>): CheckpointEntry {
  const { format, ...entry } = JSON.parse(value) as CheckpointEntry & { readonly format: number };
  if (format === CHECKPOINT_ENTRY_FORMAT) return entry;
  throw newerFormat('The shared checkpoint', format, CHECKPOINT_ENTRY_FORMAT);
}
