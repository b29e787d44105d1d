import { MergedGraphs } from './merged-graphs.ts';
import type { Mirror } from './mirror.ts';

/** Memory that an instance may keep besides its data: a multiple of theirs, and in bytes. */
const KEPT_SHARE = 1.5;
const KEPT_BYTES = 64 * 1024 * 1024;

/** The data of a thread, or those of them that some clients may read. */
export interface KeptInstance {
  readonly mirror: Mirror;
  readonly merged: MergedGraphs;
  /** Bytes of memory when it was made. */
  readonly filledBytes: number;
}

export function keptInstance(mirror: Mirror): KeptInstance {
  return { mirror, merged: new MergedGraphs(mirror), filledBytes: mirror.bytes };
}

/** Whether it has more memory than its data need. Memory never shrinks, so it must be replaced. */
export function isBloated({ mirror, filledBytes }: KeptInstance): boolean {
  return mirror.bytes > KEPT_SHARE * filledBytes + KEPT_BYTES;
}
