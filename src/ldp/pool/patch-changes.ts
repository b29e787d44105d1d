import type { AppError } from '../../errors.ts';
import type { LdpPatch } from '../../pool/messages.ts';
import type { QuadBlock } from '../../rdf/model/quad-block.ts';
import { formatTerm, iri } from '../../rdf/model/term.ts';
import type { SnapshotReader } from '../../snapshot/read/reader.ts';
import { kindOf, type ShownTarget } from './body.ts';
import { blockOfRows } from './body-terms.ts';
import { ManagedCheck } from './managed-check.ts';
import { constraintViolation } from './managed-errors.ts';
import { managedPatterns } from './managed-patterns.ts';
import { ShownTriples } from './shown-triples.ts';

/**
 * The triples that a patch adds and removes, in order. Blank nodes are those of the store, or new
 * ones with distinct labels.
 */
export interface PatchSteps {
  readonly block: QuadBlock;
  /** For each row of the block, whether it is added; otherwise it is removed. */
  readonly added: readonly boolean[];
}

/**
 * Returns the effective changes of steps to the representation of a resource (http-api L-72). Error
 * `constraint-violation` if they change more than its user triples.
 */
export function changesOf(
  reader: SnapshotReader,
  { target, visible }: ShownTarget,
  { block, added }: PatchSteps,
): LdpPatch {
  const shown = new ShownTriples(reader, visible);
  const patterns = managedPatterns(reader, target, kindOf(reader, target), shown);
  const check = new ManagedCheck(reader, block, patterns, shown);
  const graph = reader.find(formatTerm(iri(target)));
  const { quads } = block;
  const additions: number[] = [];
  const removals: number[] = [];
  const managed = new Set<number>();
  for (const at of lastSteps(quads)) {
    const standing = check.standing(quads, at);
    const exists = check.holds(graph, quads[at]!, quads[at + 1]!, quads[at + 2]!);
    if (added[at / 4]) {
      if (exists || standing === 'current') continue;
      if (standing === 'claimed') managed.add(quads[at + 1]!);
      else additions.push(at);
    } else {
      if (standing === 'current') managed.add(quads[at + 1]!);
      else if (exists) removals.push(at);
    }
  }
  if (managed.size > 0) throw managedChange(check, managed);
  return { additions: blockOfRows(block, additions), removals: ownBlock(blockOfRows(block, removals)) };
}

/** Returns the offsets of the rows that are the last ones for their triple. */
function lastSteps(quads: Uint32Array): Iterable<number> {
  const last = new Map<string, number>();
  for (let at = 0; at < quads.length; at += 4) {
    last.set(`${quads[at]} ${quads[at + 1]} ${quads[at + 2]}`, at);
  }
  return last.values();
}

/** Each block is transferred to another thread, so blocks can't share their terms. */
function ownBlock(block: QuadBlock): QuadBlock {
  return { ...block, termBytes: block.termBytes.slice(), termOffsets: block.termOffsets.slice() };
}

function managedChange(check: ManagedCheck, predicates: ReadonlySet<number>): AppError {
  const properties = Array.from(predicates, (predicate) => check.terms.text(predicate).slice(1, -1));
  return constraintViolation('The patch changes the values of server-managed properties', properties);
}
