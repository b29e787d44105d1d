import { type Caller, withAbort } from './caller.ts';

interface Work<T> {
  readonly result: Promise<T>;
  waiting: number;
  readonly cancel: () => void;
}

/** Work that several ask for while it is under way is done once for all of them. */
export class SharedWork<T> {
  readonly #running = new Map<string, Work<T>>();

  /**
   * The result of the work of that key; begins it for the first caller. It is cancelled, through the caller that `begin`
   * gets, when all callers have disconnected.
   */
  join(key: string, caller: Caller, begin: (caller: Caller) => Promise<T>): Promise<T> {
    const work = this.#running.get(key) ?? this.#begin(key, caller, begin);
    work.waiting++;
    caller.onAbort(() => {
      work.waiting--;
      if (work.waiting > 0) return;
      // Who comes from now on gets work of its own.
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
