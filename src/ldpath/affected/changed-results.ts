/** Which results of a program differ between an earlier state of the data and the present one. */
import type { ChangedTerms, NetChanges } from '../../rdf/model/changes/net-changes.ts';
import type { TermId } from '../../rdf/model/term-id.ts';
import type { CompiledProgram } from '../compile/compiler.ts';
import { EvaluationStopped, LdPathError } from '../errors.ts';
import type { Evaluator } from '../evaluate/evaluation.ts';
import type { ResultWriter } from '../evaluate/result-writer.ts';
import type { AffectedPlan } from './program-plan.ts';
import type { SearchedGraph } from './searched-graph.ts';
import { StartMembership } from './start-membership.ts';

/** Two states of the data with the ids of one dictionary. */
export interface StatePair {
  /** Without the quads in `changes.unsure` whose terms the dictionary has dropped. */
  readonly earlier: SearchedGraph;
  readonly present: SearchedGraph;
  readonly changes: ChangedTerms;
}

/** Two states, and how they differ. */
export interface ComparedStates extends StatePair {
  readonly changes: NetChanges;
}

export interface StoredProgramParts {
  readonly program: CompiledProgram;
  /** The plan of the same program. */
  readonly plan: AffectedPlan;
}

/** What a program has to say about a start resource. */
export type StartDocument =
  | {
      /** JSON as `Evaluator.writeProgram` writes it. */
      readonly result: Uint8Array;
      /** Only if the program has `@boost`. */
      readonly boost: number | undefined;
    }
  | { readonly error: LdPathError };

export interface ChangedResult {
  /** Of the present dictionary, or greater if that has dropped the term (see `NetChanges`). */
  readonly id: TermId;
  readonly uri: string;
  /** Undefined if the start resource has left the set, or `@filter` does not accept it any more. */
  readonly document: StartDocument | undefined;
}

/** Start resources whose results may differ, as ids; each list ascending. */
export interface AffectedStarts {
  readonly ids: Uint32Array;
  /** Those of them whose earlier result cannot be compared with the present one. */
  readonly incomparable: Uint32Array;
  /** Those that only a quad in `unsure` shows to have been in the set in the earlier state. */
  readonly oldMembers: Uint32Array;
}

/** Returns the start resources whose results may differ, or `too-many` if the plan finds that. */
export function affectedStarts(
  { plan }: StoredProgramParts,
  states: ComparedStates,
  limit: number,
): AffectedStarts | 'too-many' {
  const { changes, present } = states;
  const { added, removed, unsure } = changes;
  const affected = plan.starts([added, removed, unsure], changes, present, limit);
  if (affected === 'too-many') return 'too-many';
  const membership = new StartMembership(plan.startSet, changes);
  const ids = new Set(affected);
  for (const id of membership.madeBy([added, removed])) {
    if (id > changes.termCount) continue;
    if (membership.has(id, states.earlier) !== membership.has(id, present)) ids.add(id);
  }
  const oldMembers = membership.madeBy([unsure]);
  const incomparable = new Set(oldMembers);
  if (unsure.length > 0) {
    // The earlier results are right where no look-up in that graph finds an unsure quad.
    const found = plan.starts([unsure], changes, states.earlier, limit);
    if (found === 'too-many') return 'too-many';
    for (const id of found) incomparable.add(id);
  }
  for (const id of incomparable) ids.add(id);
  return {
    ids: ascending(ids),
    incomparable: ascending(incomparable),
    oldMembers: ascending(oldMembers),
  };
}

function ascending(ids: ReadonlySet<TermId>): Uint32Array {
  return Uint32Array.from(ids).sort();
}

/**
 * Returns the changed results, in the order of the start resources' ids, each once; or `too-many`
 * if the plan finds that. Applied to the earlier results they give the present ones. Some of them
 * may be equal to the earlier ones: those that cannot be compared (`NetChanges.unsure`).
 *
 * Not reported is another case of a language tag, and a limit that the same data reach on one side
 * alone: the time limit, or a number of steps that is exceeded by a few.
 */
export function changedResults(
  parts: StoredProgramParts,
  states: ComparedStates,
  evaluator: Evaluator,
  limit: number,
): Generator<ChangedResult, void> | 'too-many' {
  const affected = affectedStarts(parts, states, limit);
  if (affected === 'too-many') return 'too-many';
  return changedAmong(affected, new ResultComparison(parts, states, evaluator, affected.oldMembers));
}

function* changedAmong(
  { ids, incomparable }: AffectedStarts,
  comparison: ResultComparison,
): Generator<ChangedResult, void> {
  for (const id of ids) {
    const changed = hasId(incomparable, id) ? comparison.presentOf(id) : comparison.compare(id);
    if (changed !== undefined) yield changed;
  }
}

/** Whether the ascending list has the id. */
export function hasId(ids: Uint32Array, id: TermId): boolean {
  return ids[placeOf(ids, id)] === id;
}

/** Returns the index of the first id of the ascending list that is not less. */
export function placeOf(ids: Uint32Array, id: TermId): number {
  let from = 0;
  for (let to = ids.length; from < to; ) {
    const middle = (from + to) >>> 1;
    if (ids[middle]! < id) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** Evaluates start resources on both states. */
export class ResultComparison {
  readonly #parts: StoredProgramParts;
  readonly #states: StatePair;
  readonly #evaluator: Evaluator;
  readonly #membership: StartMembership;
  readonly #out: ResultWriter;
  readonly #oldMembers: Uint32Array;

  /** @param oldMembers see `AffectedStarts` */
  constructor(parts: StoredProgramParts, states: StatePair, evaluator: Evaluator, oldMembers: Uint32Array) {
    this.#parts = parts;
    this.#states = states;
    this.#evaluator = evaluator;
    this.#out = evaluator.newWriter();
    this.#membership = new StartMembership(parts.plan.startSet, states.changes);
    this.#oldMembers = oldMembers;
  }

  /** Returns undefined if the result is the same in both states. */
  compare(id: TermId): ChangedResult | undefined {
    const before = this.document(id, 'earlier');
    const now = this.document(id, 'present');
    return isSameDocument(before, now) ? undefined : this.#changedTo(id, now);
  }

  /** For a start resource whose earlier result is unknown; undefined if it cannot have had one. */
  presentOf(id: TermId): ChangedResult | undefined {
    const now = this.document(id, 'present');
    return now === undefined && !this.#isMember(id, 'earlier') ? undefined : this.#changedTo(id, now);
  }

  /** Whether or not the result has changed. */
  known(id: TermId): ChangedResult {
    return this.#changedTo(id, this.document(id, 'present'));
  }

  #changedTo(id: TermId, document: StartDocument | undefined): ChangedResult {
    return { id, uri: this.#states.changes.text(id).slice(1, -1), document };
  }

  #isMember(id: TermId, state: 'earlier' | 'present'): boolean {
    if (state === 'earlier' && hasId(this.#oldMembers, id)) return true;
    return id <= this.#states.changes.termCount && this.#membership.has(id, this.#states[state]);
  }

  /** Returns undefined for a term that is not in the set, or that `@filter` does not accept. */
  document(id: TermId, state: 'earlier' | 'present'): StartDocument | undefined {
    if (!this.#isMember(id, state)) return undefined;
    const { program } = this.#parts;
    const graph = this.#states[state];
    try {
      if (!this.#evaluator.acceptsStart(program, graph, id)) return undefined;
      this.#out.clear();
      this.#evaluator.writeProgram(program, graph, id, this.#out);
      const result = this.#out.slice();
      return { result, boost: program.boost && this.#evaluator.boost(program, graph, id) };
    } catch (error) {
      if (error instanceof LdPathError && !(error instanceof EvaluationStopped)) return { error };
      throw error;
    }
  }
}

function isSameDocument(x: StartDocument | undefined, y: StartDocument | undefined): boolean {
  if (x === undefined || y === undefined) return x === y;
  if ('error' in x) return 'error' in y && isSameError(x.error, y.error);
  return !('error' in y) && x.boost === y.boost && Buffer.compare(x.result, y.result) === 0;
}

/** Where the time limit ends an evaluation is a matter of chance. */
function isSameError(x: LdPathError, y: LdPathError): boolean {
  return x.code === y.code && (x.code === 'time-limit' || x.message === y.message);
}
