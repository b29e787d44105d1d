import type { Model, Operation } from './operation.ts';

/** Why a history is not linearizable. */
export interface Violation<State, Input, Output> {
  /** The first operation, by the times of answers, that no order of the operations explains. */
  readonly operation: Operation<Input, Output>;
  /** The states in which the operations with earlier answers may have left the key. */
  readonly states: readonly State[];
}

/**
 * One explanation of all answers so far. A change takes effect as late as possible: when its own
 * answer, or that of a later operation, demands it.
 */
interface Configuration<State> {
  readonly state: State;
  /** Operations without an answer so far that have taken effect: their numbers, in order. */
  readonly answered: readonly number[];
  /** The same of operations that never get an answer. */
  readonly unanswered: readonly number[];
}

/** A bad history, or a model that tells too little, can need more memory than there is. */
const MAX_CONFIGURATIONS = 1_000_000;

/**
 * Searches an order in which each operation takes effect between its call and its answer, and has
 * the output that its client saw: the algorithm of Wing and Gong, as a graph search with memory
 * (G. Lowe, Testing for linearizability, 2017).
 *
 * First it tries without the unanswered operations that nobody seems to have seen: that they never
 * happened is the likely explanation, and much is faster without them.
 *
 * @returns undefined if there is such an order
 */
export function findViolation<State, Input, Output>(
  model: Model<State, Input, Output>,
  history: readonly Operation<Input, Output>[],
): Violation<State, Input, Output> | undefined {
  const seen = history.filter(
    (operation) => operation.output !== undefined || model.isSeen(operation, history),
  );
  if (search(model, seen) === undefined) return undefined;
  return search(model, history);
}

function search<State, Input, Output>(
  model: Model<State, Input, Output>,
  history: readonly Operation<Input, Output>[],
): Violation<State, Input, Output> | undefined {
  const pending = new Set<number>();
  let configurations: Configuration<State>[] = [{ state: model.initial, answered: [], unanswered: [] }];
  for (const { index, isAnswer } of eventsOf(history)) {
    if (!isAnswer) {
      pending.add(index);
      continue;
    }
    const next = new Search(model, history, pending).explain(index, configurations);
    if (next.length === 0) {
      return { operation: history[index]!, states: configurations.map(({ state }) => state) };
    }
    pending.delete(index);
    configurations = withoutUsed(next, pending);
  }
  return undefined;
}

/** Forgets unanswered operations that have taken effect in all configurations. */
function withoutUsed<State>(
  configurations: readonly Configuration<State>[],
  pending: Set<number>,
): Configuration<State>[] {
  const [first, ...others] = configurations.map(({ unanswered }) => unanswered);
  const used = first!.filter((index) => others.every((unanswered) => unanswered.includes(index)));
  if (used.length === 0) return [...configurations];
  for (const index of used) pending.delete(index);
  return configurations.map((configuration) => ({
    ...configuration,
    unanswered: configuration.unanswered.filter((index) => !used.includes(index)),
  }));
}

/** Calls and answers by time. Those of one time are concurrent, so the calls come first. */
function eventsOf(history: readonly Operation<unknown, unknown>[]): { index: number; isAnswer: boolean }[] {
  const events = history.flatMap(({ called, returned, output }, index) => [
    { index, isAnswer: false, time: called },
    ...(output === undefined ? [] : [{ index, isAnswer: true, time: returned }]),
  ]);
  return events.sort((a, b) => a.time - b.time || Number(a.isAnswer) - Number(b.isAnswer));
}

/** One step of the search: all explanations of one more answer. */
class Search<State, Input, Output> {
  readonly #model: Model<State, Input, Output>;
  readonly #history: readonly Operation<Input, Output>[];
  readonly #pending: ReadonlySet<number>;
  /** The sets of unanswered operations with which a state and answered operations were reached. */
  readonly #visited = new Map<string, (readonly number[])[]>();
  /** By the number of unanswered operations: fewer come first, since more explain nothing more. */
  readonly #queues: Configuration<State>[][] = [];
  #count = 0;

  constructor(
    model: Model<State, Input, Output>,
    history: readonly Operation<Input, Output>[],
    pending: ReadonlySet<number>,
  ) {
    this.#model = model;
    this.#history = history;
    this.#pending = pending;
  }

  /** Configurations in which the operation `index` has taken effect. */
  explain(index: number, configurations: readonly Configuration<State>[]): Configuration<State>[] {
    for (const configuration of configurations) this.#visit(configuration);
    const explained: Configuration<State>[] = [];
    // Queues grow while they are read.
    for (let queue = 0; queue < this.#queues.length; queue++) {
      for (const configuration of this.#queues[queue] ?? []) {
        if (configuration.answered.includes(index)) {
          const answered = configuration.answered.filter((other) => other !== index);
          explained.push({ ...configuration, answered });
        } else {
          this.#expand(configuration);
        }
      }
    }
    return explained;
  }

  #expand({ state, answered, unanswered }: Configuration<State>): void {
    for (const index of this.#pending) {
      if (answered.includes(index) || unanswered.includes(index)) continue;
      const { input, output } = this.#history[index]!;
      const next = this.#model.step(state, input, output);
      if (next === undefined) continue;
      if (output !== undefined) {
        this.#visit({ state: next, answered: [...answered, index], unanswered });
      } else if (next !== state) {
        this.#visit({ state: next, answered, unanswered: withNumber(unanswered, index) });
      }
    }
  }

  /** An operation that changes nothing takes effect as soon as it can, which excludes nothing. */
  #visit({ state, answered: changing, unanswered }: Configuration<State>): void {
    const answered = [...changing, ...this.#readsOf(state, changing)].sort((a, b) => a - b);
    const name = `${answered.join()} ${this.#model.nameOf(state)}`;
    const before = this.#visited.get(name) ?? [];
    if (before.some((fewer) => fewer.every((index) => unanswered.includes(index)))) return;
    if (++this.#count > MAX_CONFIGURATIONS) {
      throw new Error(`The history is too hard to check: more than ${MAX_CONFIGURATIONS} explanations.`);
    }
    this.#visited.set(name, [...before, unanswered]);
    this.#queues[unanswered.length] ??= [];
    this.#queues[unanswered.length]!.push({ state, answered, unanswered });
  }

  #readsOf(state: State, answered: readonly number[]): number[] {
    return [...this.#pending].filter((index) => {
      const { input, output } = this.#history[index]!;
      return (
        output !== undefined &&
        !answered.includes(index) &&
        this.#model.changesNothing(input, output) &&
        this.#model.step(state, input, output) !== undefined
      );
    });
  }
}

function withNumber(sorted: readonly number[], added: number): readonly number[] {
  return [...sorted, added].sort((a, b) => a - b);
}
