import { NO_TERM, type TermId } from '../../../rdf/model/term-id.ts';
import type { SnapshotReader } from '../../../snapshot/read/reader.ts';
import type { StartPack } from '../../batch/start-pack.ts';
import { ownTime } from '../own-time.ts';

/** The start resources of one page. */
export interface StartPage {
  readonly ids: TermId[];
  /** The last id that was looked at, whether or not it belongs to the set. */
  last: TermId;
  isLast: boolean;
}

/** Candidates for a set: ids, ascending. */
export interface Candidates {
  /** After `PASSED`: the last id that need not be looked at again. */
  readonly reached: TermId;
  /**
   * Returns the next id; `NO_TERM` after the last; `PASSED` if many hidden ones were passed over.
   */
  next(): TermId | typeof PASSED;
}

/** Is no id. */
export const PASSED = -1;

const LESS_THAN = 0x3c;
const MOST_BYTES = 1024 * 1024;
/** A page ends after this many milliseconds of the thread's own time, even if it is short. */
const PAGE_MS = 20;
/** Counting ends after this many. */
const COUNT_MS = 100;
/** Number of candidates between two checks of the clock. */
const CANDIDATES_A_CHECK = 1024;

/**
 * Reads a page of at most this many members: the candidates that are IRIs and not among `seen`.
 * `before`: the id before the first candidate. `check` is called regularly and may throw.
 */
export function readPage(
  candidates: Candidates,
  graph: SnapshotReader,
  { before, seen, most }: { before: TermId; seen: ReadonlySet<TermId>; most: number },
  check: () => void,
): StartPage {
  const page: StartPage = { ids: [], last: before, isLast: false };
  const end = ownTime() + PAGE_MS;
  let bytes = 0;
  for (let looked = 1; page.ids.length < most && bytes < MOST_BYTES; looked++) {
    const id = candidates.next();
    if (id === NO_TERM) {
      page.isLast = true;
      break;
    }
    page.last = id === PASSED ? candidates.reached : id;
    if (id !== PASSED && isIriId(id, graph) && !seen.has(id)) {
      page.ids.push(id);
      bytes += graph.terms.end(id) - graph.terms.start(id);
    }
    if (id !== PASSED && looked % CANDIDATES_A_CHECK !== 0) continue;
    check();
    // A subject with more hidden quads than can be read in this time must not be begun for ever.
    if (page.last > before && ownTime() > end) break;
  }
  return page;
}

/** Counts the candidates that are IRIs; null if that takes long. */
export function countIris(candidates: Candidates, graph: SnapshotReader, check: () => void): number | null {
  const end = ownTime() + COUNT_MS;
  let count = 0;
  for (let looked = 1; ; looked++) {
    const id = candidates.next();
    if (id === NO_TERM) return count;
    if (id !== PASSED && isIriId(id, graph)) count++;
    if (id !== PASSED && looked % CANDIDATES_A_CHECK !== 0) continue;
    check();
    if (ownTime() > end) return null;
  }
}

/** Puts the canonical forms of terms into shared memory, from which several jobs can read. */
export function packIds(ids: readonly TermId[], { terms }: SnapshotReader): StartPack {
  const bounds = new Uint32Array(2 * ids.length);
  let length = 0;
  for (let i = 0; i < ids.length; i++) {
    bounds[2 * i] = length;
    length += terms.end(ids[i]!) - terms.start(ids[i]!);
    bounds[2 * i + 1] = length;
  }
  const bytes = Buffer.from(new SharedArrayBuffer(length));
  const arena = Buffer.from(terms.bytes.buffer);
  for (let i = 0; i < ids.length; i++) {
    arena.copy(bytes, bounds[2 * i]!, terms.start(ids[i]!), terms.end(ids[i]!));
  }
  return { bytes: new Uint8Array(bytes.buffer), bounds };
}

/** Whether a term is an IRI: neither a blank node nor a literal nor a triple term. */
export function isIriId(id: TermId, { terms }: SnapshotReader): boolean {
  const start = terms.start(id);
  return terms.bytes[start] === LESS_THAN && terms.bytes[start + 1] !== LESS_THAN;
}
