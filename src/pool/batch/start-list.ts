import type { StartPack } from './start-pack.ts';

/** The start resources of a batch, in order. */
export interface StartList extends Iterable<string> {
  readonly length: number;
  /** Returns the start resource as the client wrote it. */
  text(index: number): string;
  /** Packs the start resources of a range for a thread. */
  pack(from: number, to: number): StartPack;
}
