import { type Caller, withAbort } from './caller.ts';

interface Work<T> {
  readonly result: Promise<T>;
  waiting: number;
  readonly cancel: () => void;
}

/** Runs work of one key once for all callers that ask for it while it is running. */
export class SharedWork<T> {
  readonly #running = new Map<string, Work<T>>();

  /**
   * Returns the result of the work with this key, and starts the work for the first caller. The
   * work is cancelled, through the caller that `begin` receives, once all callers have
   * disconnected.
   */
  join(key: string, caller: Caller, begin: (caller: Caller) => Promise<T>): Promise<T> {
    const work = this.#running.get(key) ?? this.#begin(key, caller, begin);
    work.waiting++;
    caller.onAbort(() => {
      work.waiting--;
      if (work.waiting > 0) return;
      // Later callers start new work.
      this.#forget(key, work);
      work.cancel();
    });
    return work.result;
  }

  #begin(key: string, first: Caller, begin: (caller: Caller) => Promise<T>): Work<T> {
    const listeners: (() => void)[] = [];
    const result = begin(withAbort(first, (listener) => listeners.push(listener))).finally(() =>
      this.#forget(key, work),
    );
    const cancel = () => {
      for (const listener of listeners) listener();
    };
    const work: Work<T> = { result, waiting: 0, cancel };
    this.#running.set(key, work);
    return work;
  }

  #forget(key: string, work: Work<T>): void {
    if (this.#running.get(key) === work) this.#running.delete(key);
  }
}
