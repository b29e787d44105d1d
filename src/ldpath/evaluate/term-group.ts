/**
 * Terms of the graph that are written together, for speed. Writers go through a list several times:
 * first for the positions of its terms, then for their first and last bytes, then to write them. In
 * each pass the processor can wait for many memory accesses at once, instead of for one term after
 * another; and room is requested only once.
 */

import type { TermBytes } from '../../rdf/model/path-graph.ts';
import { NO_TERM, type TermId } from '../../rdf/model/term-id.ts';
import type { ResultWriter } from './result-writer.ts';

/** Maximum number of terms that are written together. */
export const AT_ONCE = 64;
/**
 * Maximum size of terms that are written together, in bytes. For larger terms the cost of
 * requesting room more often is negligible.
 */
const FEW_BYTES = 16 * 1024;

const starts = new Uint32Array(AT_ONCE);
const ends = new Uint32Array(AT_ONCE);
const firsts = new Uint8Array(AT_ONCE);
const lasts = new Uint8Array(AT_ONCE);

/**
 * The terms that were recorded last: where each begins and ends, its first and last byte. Constants
 * of a module that exports none of them are faster: writers make such constants of these.
 */
export const recorded = { starts, ends, firsts, lasts } as const;

/**
 * Records at most `AT_ONCE` ids from `from` on, and makes room for their bytes and `frame` more for
 * each. Returns their number; 0 if they must be written one by one, since they include triple
 * terms, terms that the graph does not have, or large ones.
 */
// biome-ignore lint/complexity/useMaxParams: an object for each list would cost time
export function recordTerms(
  terms: TermBytes,
  ids: readonly TermId[],
  from: number,
  frame: number,
  out: ResultWriter,
): number {
  const count = Math.min(AT_ONCE, ids.length - from);
  let size = 0;
  for (let i = 0; i < count; i++) {
    const id = ids[from + i]!;
    if (id <= NO_TERM) return 0;
    const start = terms.start(id);
    const end = terms.end(id);
    starts[i] = start;
    ends[i] = end;
    size += end - start;
  }
  if (size > FEW_BYTES || !out.makeRoom(size + count * frame)) return 0;
  const { bytes } = terms;
  for (let i = 0; i < count; i++) {
    firsts[i] = bytes[starts[i]!]!;
    lasts[i] = bytes[ends[i]! - 1]!;
    if (firsts[i] === LESS_THAN && bytes[starts[i]! + 1] === LESS_THAN) return 0;
  }
  return count;
}

const LESS_THAN = 0x3c;
