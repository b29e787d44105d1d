import { AppError } from '../../../errors.ts';
import type { StartSet } from '../../../rdf/model/resources/start-set.ts';
import { NO_TERM, type TermId } from '../../../rdf/model/term-id.ts';
import type { SnapshotReader } from '../../../snapshot/read/reader.ts';
import type { SubjectRange } from '../../../snapshot/read/subject-cursor.ts';
import { lowerBoundOf } from '../../../snapshot/runs/order.ts';
import type { SelectedStarts, StartsJob, StartsOutput } from '../../messages.ts';
import type { CurrentStep } from '../current-step.ts';
import type { PathEvaluator } from '../path-evaluator.ts';
import { shareOrCopy } from '../transfer.ts';
import { type Candidates, countIris, isIriId, PASSED, packIds, readPage } from './member-page.ts';

const RDF_TYPE = '<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>';
const noIds: ReadonlySet<TermId> = new Set();

/** Where a page begins: the first id to look at, and those after it that are not wanted again. */
interface Beginning {
  readonly from: TermId;
  readonly seen: ReadonlySet<TermId>;
}

/** Finds the members of sets of start resources, page by page. */
export class StartSetReader {
  readonly #evaluator: PathEvaluator;
  readonly #step: CurrentStep;
  readonly #maxSelected: number;

  /** `maxSelected`: the most terms that the path of a set may select. */
  constructor(evaluator: PathEvaluator, step: CurrentStep, maxSelected: number) {
    this.#evaluator = evaluator;
    this.#step = step;
    this.#maxSelected = maxSelected;
  }

  read(job: StartsJob, graph: SnapshotReader): StartsOutput {
    const { generation } = graph.terms;
    const { from, seen } = beginningOf(job, graph);
    const selected = this.#selected(job, graph);
    const check = () => this.#step.throwIfCancelled();
    const candidates = () => candidatesFrom(from, job.set, selected, graph);
    const limits = { before: from - 1, seen, most: job.most };
    const { ids, last, isLast } = readPage(candidates(), graph, limits, check);
    return {
      starts: packIds(ids, graph),
      ids: shareOrCopy(Uint32Array.from(ids)),
      after: { generation, id: last },
      isLast,
      total: job.counted ? countIris(candidates(), graph, check) : null,
      selected,
    };
  }

  /** Evaluates the path of a set, unless its ids are still valid. */
  #selected({ set, namespaces, selected }: StartsJob, graph: SnapshotReader): SelectedStarts | null {
    if (set.kind !== 'path') return null;
    const { generation } = graph.terms;
    if (selected?.generation === generation) return selected;
    const found = new Set<TermId>();
    const selection = { mode: 'path', source: set.path, namespaces } as const;
    for (const start of set.from) {
      this.#evaluator.collect(selection, graph, start, found);
      if (found.size <= this.#maxSelected) continue;
      throw new AppError('budget-exceeded', `The path selects more than ${this.#maxSelected} resources.`);
    }
    const iris = Uint32Array.from(found).filter((id) => isIriId(id, graph));
    return { generation, ids: shareOrCopy(iris.sort()) };
  }
}

/**
 * Ids change when unused terms are dropped: terms keep their order then, but one that was unused
 * for a while may come again at the end. So the least id of the members before says how far the
 * set was read: at least one of them has kept its place, unless all of them are gone. Then the set
 * is read from its beginning, and members come twice.
 */
function beginningOf({ after, before }: StartsJob, graph: SnapshotReader): Beginning {
  if (after === null) return { from: 1, seen: noIds };
  if (after.generation === graph.terms.generation) return { from: after.id + 1, seen: noIds };
  if (before === null) {
    throw new AppError(
      'position-gone',
      'The order of the resources has changed since this cursor. Read the set again from its beginning.',
    );
  }
  const ids = new Uint32Array(before.bounds.length / 2);
  graph.terms.findAll(before.bytes, before.bounds, ids);
  const seen = new Set(ids.filter((id) => id !== NO_TERM));
  return { from: seen.size === 0 ? 1 : minimum(seen), seen };
}

function minimum(ids: Iterable<TermId>): TermId {
  let least = Number.POSITIVE_INFINITY;
  for (const id of ids) least = Math.min(least, id);
  return least;
}

function candidatesFrom(
  from: TermId,
  set: StartSet,
  selected: SelectedStarts | null,
  graph: SnapshotReader,
): Candidates {
  return set.kind === 'path'
    ? selectedFrom(from, selected!.ids)
    : subjectsFrom(from, rangeOf(set, graph), graph);
}

function selectedFrom(from: TermId, ids: Uint32Array): Candidates {
  let at = lowerBoundOf(ids, 0, ids.length, from);
  return { reached: NO_TERM, next: () => ids[at++] ?? NO_TERM };
}

function subjectsFrom(from: TermId, range: SubjectRange, graph: SnapshotReader): Candidates {
  const cursor = graph.subjectsFrom(range, from);
  return {
    get reached() {
      return cursor.subject;
    },
    next: () => {
      if (!cursor.next()) return NO_TERM;
      return cursor.isShown ? cursor.subject : PASSED;
    },
  };
}

function rangeOf(set: Exclude<StartSet, { kind: 'path' }>, graph: SnapshotReader): SubjectRange {
  switch (set.kind) {
    case 'type':
      return { kind: 'object', predicate: graph.find(RDF_TYPE), object: graph.find(`<${set.iri}>`) };
    case 'graph':
      return { kind: 'graph', graph: graph.find(`<${set.iri}>`) };
    case 'subjects':
      return { kind: 'all' };
  }
}
