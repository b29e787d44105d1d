import type { Operation } from './operation.ts';

/** The operations of concurrent clients, by key. The clock counts calls and answers. */
export class Recorder<Input, Output> {
  readonly #histories = new Map<string, Operation<Input, Output>[]>();
  #clock = 0;

  /**
   * Runs an operation and keeps what became of it. `undefined` as its result says that the outcome
   * is unknown, and `null` that the operation is certain not to have happened.
   */
  async run(key: string, input: Input, operation: () => Promise<Output | undefined | null>): Promise<void> {
    const called = ++this.#clock;
    const output = await operation();
    if (output !== null) this.add(key, { input, output, called, returned: ++this.#clock });
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
