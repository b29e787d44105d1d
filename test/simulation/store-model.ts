import type { GraphPrecondition } from '../../src/store/main/transaction.ts';

/**
 * Subject, predicate, object in canonical N-Triples form (blank nodes as labels of the payload),
 * and an optional graph.
 */
export type ModelRow = readonly [subject: string, predicate: string, object: string, graph?: string];

export type ModelOperation =
  | {
      readonly kind: 'merge' | 'replace' | 'load';
      readonly graph: string;
      readonly rows: readonly ModelRow[];
    }
  | { readonly kind: 'drop'; readonly graph: string; readonly keep: boolean }
  | {
      readonly kind: 'edit';
      readonly graph: string;
      readonly rows: readonly ModelRow[];
      readonly removals: readonly ModelRow[];
    }
  | ModelUpdate;

/** Of several graphs; all rows name theirs. */
export interface ModelUpdate {
  readonly kind: 'update';
  readonly cleared: readonly string[];
  readonly removals: readonly ModelRow[];
  readonly rows: readonly ModelRow[];
  readonly created: readonly string[];
  readonly dropped: readonly string[];
}

export interface ModelTransaction {
  readonly preconditions: readonly GraphPrecondition[];
  readonly operations: readonly ModelOperation[];
}

export interface ModelGraph {
  readonly rows: ReadonlySet<string>;
  readonly sequence: number;
}

/**
 * The result of a transaction, as a `TransactionResult`; undefined if a precondition does not hold.
 */
export type ModelResult = { readonly sequence: number; readonly outcomes: readonly object[] } | undefined;

/** The behaviour of the store, in sets of strings, as simple as possible. Immutable. */
export class StoreModel {
  readonly sequence: number;
  readonly graphs: ReadonlyMap<string, ModelGraph>;

  constructor(sequence = 0, graphs: ReadonlyMap<string, ModelGraph> = new Map()) {
    this.sequence = sequence;
    this.graphs = graphs;
  }

  /** All quads as sorted N-Quads lines. */
  lines(): string[] {
    return [...this.graphs]
      .flatMap(([name, { rows }]) => [...rows].map((row) => `${row} <${name}> .`))
      .sort();
  }

  /** Name, triples and number of the last change of each graph. */
  rows(): Map<string, { size: number; sequence: number }> {
    return new Map(
      [...this.graphs].map(([name, { rows, sequence }]) => [name, { size: rows.size, sequence }]),
    );
  }

  /** The state after a commit that changes nothing. */
  unchanged(): StoreModel {
    return new StoreModel(this.sequence + 1, this.graphs);
  }

  /**
   * `ownPrefix`: how the labels of its blank nodes begin, where that does not follow from the
   * commit's number.
   */
  apply(
    { preconditions, operations }: ModelTransaction,
    stateOf: (sequence: number) => string,
    ownPrefix?: string,
  ): { readonly model: StoreModel; readonly result: ModelResult } {
    if (!preconditions.every((given) => this.#holds(given, stateOf)))
      return { model: this, result: undefined };
    const next = this.sequence + 1;
    const work = new Map([...this.graphs].map(([name, { rows }]) => [name, new Set(rows)]));
    const changed = new Set<string>();
    const outcomes = operations.map((operation, index) => {
      const prefix = ownPrefix ?? `_:b${next.toString(36)}X${index.toString(36)}X`;
      return applyOperation(work, changed, operation, prefix);
    });
    for (const name of new Set([...work.keys(), ...this.graphs.keys()])) {
      if (work.has(name) !== this.graphs.has(name)) changed.add(name);
    }
    if (changed.size === 0) return { model: this, result: { sequence: this.sequence, outcomes } };
    const graphs = new Map(
      [...work].map(([name, rows]) => {
        const sequence = changed.has(name) ? next : this.graphs.get(name)!.sequence;
        return [name, { rows, sequence }];
      }),
    );
    return { model: new StoreModel(next, graphs), result: { sequence: next, outcomes } };
  }

  #holds({ graph, match, noneMatch }: GraphPrecondition, stateOf: (sequence: number) => string): boolean {
    const found = this.graphs.get(graph);
    const isOneOf = (states: '*' | readonly string[]) =>
      found !== undefined && (states === '*' || states.includes(stateOf(found.sequence)));
    return (match === undefined || isOneOf(match)) && (noneMatch === undefined || !isOneOf(noneMatch));
  }
}

function applyOperation(
  work: Map<string, Set<string>>,
  changed: Set<string>,
  operation: ModelOperation,
  blankPrefix: string,
): object {
  if (operation.kind === 'update')
    return update(work, operation, labelled(operation.rows, blankPrefix), changed);
  const { graph } = operation;
  const existed = work.has(graph);
  const counts =
    operation.kind === 'drop'
      ? drop(work, operation)
      : operation.kind === 'load'
        ? load(work, graph, labelled(operation.rows, blankPrefix), changed)
        : write(work, operation, labelled(operation.rows, blankPrefix));
  if (operation.kind !== 'load' && counts.added + counts.removed > 0) changed.add(graph);
  return { existed, ...counts, size: work.get(graph)?.size ?? 0 };
}

function drop(work: Map<string, Set<string>>, { graph, keep }: { graph: string; keep: boolean }) {
  const removed = work.get(graph)?.size ?? 0;
  if (!keep) work.delete(graph);
  else if (work.has(graph)) work.set(graph, new Set());
  return { added: 0, removed };
}

function load(
  work: Map<string, Set<string>>,
  defaultGraph: string,
  rows: readonly ModelRow[],
  changed: Set<string>,
) {
  let added = 0;
  for (const row of rows) {
    const graph = row[3] ?? defaultGraph;
    const content = work.get(graph) ?? new Set<string>();
    if (content.has(textOf(row))) continue;
    work.set(graph, content.add(textOf(row)));
    changed.add(graph);
    added++;
  }
  return { added, removed: 0 };
}

function update(
  work: Map<string, Set<string>>,
  { cleared, removals, created, dropped }: ModelUpdate,
  rows: readonly ModelRow[],
  changed: Set<string>,
) {
  const before = new Map([...work].map(([name, content]) => [name, new Set(content)]));
  const contentOf = (name: string) => work.get(name) ?? new Set<string>();
  for (const name of cleared) work.get(name)?.clear();
  for (const row of removals) work.get(row[3]!)?.delete(textOf(row));
  for (const row of rows) work.set(row[3]!, contentOf(row[3]!).add(textOf(row)));
  for (const name of created) work.set(name, contentOf(name));
  for (const name of dropped) work.delete(name);
  let [added, removed] = [0, 0];
  for (const name of new Set([...before.keys(), ...work.keys()])) {
    const [old, now] = [before.get(name) ?? new Set(), contentOf(name)];
    const more = [...now].filter((row) => !old.has(row)).length;
    const less = [...old].filter((row) => !now.has(row as string)).length;
    if (more + less > 0) changed.add(name);
    added += more;
    removed += less;
  }
  return { existed: false, added, removed, size: 0 };
}

function write(
  work: Map<string, Set<string>>,
  operation: Extract<ModelOperation, { kind: 'merge' | 'replace' | 'load' | 'edit' }>,
  rows: readonly ModelRow[],
) {
  const before = work.get(operation.graph) ?? new Set<string>();
  const removals = operation.kind === 'edit' ? operation.removals.map(textOf) : [];
  const after = new Set(operation.kind === 'replace' ? [] : before);
  for (const row of removals) after.delete(row);
  for (const row of rows) after.add(textOf(row));
  work.set(operation.graph, after);
  const added = [...after].filter((row) => !before.has(row)).length;
  const removed = [...before].filter((row) => !after.has(row)).length;
  return { added, removed };
}

/** Blank nodes of a payload are new ones, numbered by first use. */
function labelled(rows: readonly ModelRow[], prefix: string): ModelRow[] {
  const labels = new Map<string, string>();
  const label = (term: string) => {
    if (!term.startsWith('_:')) return term;
    if (!labels.has(term)) labels.set(term, prefix + labels.size.toString(36));
    return labels.get(term)!;
  };
  return rows.map(([subject, predicate, object, graph]) => {
    const row = [label(subject), predicate, label(object)] as const;
    return graph === undefined ? row : [...row, graph];
  });
}

function textOf([subject, predicate, object]: ModelRow): string {
  return `${subject} ${predicate} ${object}`;
}
