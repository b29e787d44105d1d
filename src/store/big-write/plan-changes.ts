import { fromErrorData } from '../../errors.ts';
import type {
  CommitProgress,
  GraphGrowth,
  PlanChangesJob,
  PlannedChanges,
} from '../../pool/change-messages.ts';
import { graphNameOf } from '../../rdf/model/graph-name.ts';
import type { TermId } from '../../rdf/model/term-id.ts';
import { OverlayDictionary, OverlayTerms, type TermList } from '../../snapshot/dictionary/overlay.ts';
import { openSnapshot } from '../../snapshot/read/reader.ts';
import { planGraphOperation } from '../../snapshot/write/change-plan.ts';
import type { Changes } from '../../snapshot/write/changes.ts';
import { CommitBoard } from '../commit-board.ts';
import { blankGraphRejection } from '../graphs/blank-graphs.ts';
import { graphsOf } from '../graphs/rejection.ts';
import { MAX_PATCH_FILE_BYTES, requireFit, requireReadable } from '../patch/limits.ts';
import { rowsSize } from '../patch/patch.ts';
import { asStoreFull } from '../planning/room.ts';
import { cancelled } from '../recovery/cancelled.ts';
import { withPrefixes } from '../registry/graph-prefixes.ts';

type PlanRequest = Omit<PlanChangesJob, 'kind' | 'slot'>;

/**
 * Works out what a large operation changes. Runs in a pool thread. Throws `too-large`, `cancelled`
 * or `store-full`.
 */
export function planChanges(job: PlanRequest): PlannedChanges {
  try {
    return plan(job);
  } catch (error) {
    throw asStoreFull(error);
  }
}

function plan(job: PlanRequest): PlannedChanges {
  const { snapshot, operation, blankPrefix, progress } = job;
  const error = blankGraphRejection(operation);
  if (error) throw fromErrorData(error);
  const reader = openSnapshot(snapshot);
  const dictionary = new OverlayDictionary(reader.terms);
  const onProgress = (quads: number) => report(progress, quads);
  const basis = { dictionary, reader: () => reader, onProgress };
  const changes = withPrefixes(basis, operation, planGraphOperation(basis, operation, blankPrefix));
  requireWanted(progress);
  const newTerms = dictionary.added();
  const terms = new OverlayTerms(reader.terms, newTerms);
  requireSound(changes, terms, newTerms);
  return {
    rows: sharedRows(changes),
    removals: changes.removals.length / 4,
    additions: changes.additions.length / 4,
    knownTerms: reader.terms.termCount,
    newTerms,
    growth: growthOf(changes, (id) => graphNameOf(terms.text(id))),
    graphs: graphsOf(operation),
  };
}

/** Reports progress. Throws `cancelled` if the transaction is to be abandoned. */
function report(progress: CommitProgress | undefined, quads: number): void {
  if (progress && !new CommitBoard(progress.board).report(progress.id, quads))
    throw fromErrorData(cancelled());
}

/** Throws `cancelled` if the transaction is to be abandoned. */
export function requireWanted(progress: CommitProgress | undefined): void {
  if (progress && new CommitBoard(progress.board).isCancelled(progress.id)) throw fromErrorData(cancelled());
}

function requireSound({ additions, removals }: Changes, terms: OverlayTerms, newTerms: TermList): void {
  const added = rowsSize(additions, terms);
  requireFit(added.longest, added.bytes + rowsSize(removals, terms).bytes, MAX_PATCH_FILE_BYTES);
  const { bytes, ends, count } = newTerms;
  const placed = { bytes, start: (id: TermId) => ends[id - 1]!, end: (id: TermId) => ends[id]! };
  requireReadable(placed, 0, count);
}

function sharedRows({ additions, removals }: Changes): Uint32Array {
  const memory = new SharedArrayBuffer(4 * (removals.length + additions.length));
  const rows = new Uint32Array(memory);
  rows.set(removals);
  rows.set(additions, removals.length);
  return rows;
}

function growthOf({ additions, removals }: Changes, nameOf: (graph: TermId) => string): GraphGrowth[] {
  const added = countByGraph(additions);
  const removed = countByGraph(removals);
  return Array.from(new Set([...added.keys(), ...removed.keys()]), (id) => ({
    graph: nameOf(id),
    added: added.get(id) ?? 0,
    removed: removed.get(id) ?? 0,
  }));
}

function countByGraph(quads: Uint32Array): Map<TermId, number> {
  const counts = new Map<TermId, number>();
  for (let i = 3; i < quads.length; ) {
    const graph = quads[i]!;
    const from = i;
    while (i < quads.length && quads[i] === graph) i += 4;
    counts.set(graph, (counts.get(graph) ?? 0) + (i - from) / 4);
  }
  return counts;
}
