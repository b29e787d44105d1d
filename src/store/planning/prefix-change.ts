import { NO_TERM, type TermId } from '../../rdf/model/term-id.ts';
import { SYSTEM_GRAPH_ID } from '../../snapshot/graphs/system-graph.ts';
import type { PlanBasis } from '../../snapshot/write/change-plan.ts';
import { type Changes, noChanges } from '../../snapshot/write/changes.ts';
import { changeDate } from '../graphs/change-date.ts';
import type { Stamp } from '../graphs/effects.ts';
import type { PrefixOperation, PrefixPair } from '../registry/prefix-operation.ts';
import {
  formatPrefixRow,
  formatPrefixState,
  MAX_STORED_PREFIXES,
  PREFIX_TABLE,
  parsePrefixRow,
  prefixPredicate,
  prefixStateTerm,
  prefixTableState,
  prefixTerm,
} from '../registry/prefix-registry.ts';

interface PrefixPlan {
  readonly changes: Changes;
  /** Whether the prefix was stored before; false for several. */
  readonly existed: boolean;
  /** Number of the commit that stored the prefix, if it is stored afterwards. */
  readonly contentSequence?: number;
}

/** Plans an operation on stored prefixes, see `change-plan.ts` of the snapshot. */
export function planPrefixes(basis: PlanBasis, operation: PrefixOperation, stamp: Stamp): PrefixPlan {
  const plan = new PrefixChanges(basis, stamp);
  if (operation.kind === 'learn-prefixes') {
    for (const pair of operation.learned) plan.learn(pair);
    return { changes: plan.changes(), existed: false };
  }
  const { prefix } = operation;
  const term = prefixTerm(basis.reader(), prefix);
  const existed = term !== NO_TERM;
  if (operation.kind === 'remove-prefix') {
    if (existed) plan.remove(prefix, term);
    return { changes: plan.changes(), existed };
  }
  const { namespace } = operation;
  const before = existed ? parsePrefixRow(basis.reader().text(term)) : undefined;
  if (before?.namespace === namespace) {
    return { changes: noChanges, existed, contentSequence: before.sequence };
  }
  if (existed) plan.replace(prefix, namespace, term);
  else plan.add(prefix, namespace);
  return { changes: plan.changes(), existed, contentSequence: stamp.sequence };
}

/** Collects the changes of rows. */
class PrefixChanges {
  readonly #basis: PlanBasis;
  readonly #stamp: Stamp;
  readonly #additions: TermId[] = [];
  readonly #removals: TermId[] = [];
  readonly #learned = new Set<string>();
  #count: number;
  #removed: number;

  constructor(basis: PlanBasis, stamp: Stamp) {
    this.#basis = basis;
    this.#stamp = stamp;
    const { count, removed } = prefixTableState(basis.reader());
    this.#count = count;
    this.#removed = removed;
  }

  add(prefix: string, namespace: string): void {
    this.#add(prefix, namespace, undefined);
    this.#count++;
  }

  replace(prefix: string, namespace: string, row: TermId): void {
    const { modified } = parsePrefixRow(this.#basis.reader().text(row));
    this.#drop(prefix, row);
    this.#add(prefix, namespace, modified);
  }

  remove(prefix: string, row: TermId): void {
    this.#drop(prefix, row);
    this.#count--;
    this.#removed = this.#stamp.sequence;
  }

  /** The first of several namespaces of a prefix counts. */
  learn([prefix, namespace]: PrefixPair): void {
    if (this.#count >= MAX_STORED_PREFIXES || this.#learned.has(prefix)) return;
    this.#learned.add(prefix);
    if (prefixTerm(this.#basis.reader(), prefix) === NO_TERM) this.add(prefix, namespace);
  }

  /** Returns the changes of prefixes, if there are some, with that of the state. */
  changes(): Changes {
    if (this.#additions.length + this.#removals.length === 0) return noChanges;
    const table = this.#intern(PREFIX_TABLE);
    const before = prefixStateTerm(this.#basis.reader());
    const state = { sequence: this.#stamp.sequence, removed: this.#removed, count: this.#count };
    const after = this.#intern(formatPrefixState(state));
    // They are equal if an earlier operation of the transaction has changed the same prefix.
    if (before !== after) {
      if (before !== NO_TERM) this.#removals.push(table, table, before, SYSTEM_GRAPH_ID);
      this.#additions.push(table, table, after, SYSTEM_GRAPH_ID);
    }
    return { additions: Uint32Array.from(this.#additions), removals: Uint32Array.from(this.#removals) };
  }

  /** `changed`: when the prefix was last changed before. */
  #add(prefix: string, namespace: string, changed: number | undefined): void {
    const { sequence, modified } = this.#stamp;
    const row = formatPrefixRow({ sequence, modified: changeDate(modified, changed), namespace });
    const ids = [PREFIX_TABLE, prefixPredicate(prefix), row].map((term) => this.#intern(term));
    this.#additions.push(...ids, SYSTEM_GRAPH_ID);
  }

  #drop(prefix: string, row: TermId): void {
    const ids = [PREFIX_TABLE, prefixPredicate(prefix)].map((term) => this.#intern(term));
    this.#removals.push(...ids, row, SYSTEM_GRAPH_ID);
  }

  #intern(term: string): TermId {
    return this.#basis.dictionary.internText(term);
  }
}
