import type { Operation } from './operation.ts';

/** The operations of concurrent clients, by key. */
export class Recorder<Input, Output> {
  readonly #histories = new Map<string, Operation<Input, Output>[]>();
  #clock = 0;

  /** A moment that is later than all others so far. */
  tick(): number {
    return ++this.#clock;
  }

  add(key: string, operation: Operation<Input, Output>): void {
    const history = this.#histories.get(key) ?? [];
    history.push(operation);
    this.#histories.set(key, history);
  }

  get histories(): ReadonlyMap<string, readonly Operation<Input, Output>[]> {
    return this.#histories;
  }
}
