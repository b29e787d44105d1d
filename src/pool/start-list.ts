import type { StartPack } from './start-pack.ts';

/** The start resources of a bulk, in their order. */
export interface StartList extends Iterable<string> {
  readonly length: number;
  /** As the client wrote it. */
  text(index: number): string;
  /** Those of a range, for a thread. */
  pack(from: number, to: number): StartPack;
}
