import type { OnAbort } from '../payload.ts';

interface Work<T> {
  readonly result: Promise<T>;
  waiting: number;
  readonly cancel: () => void;
}

/** Work that several ask for while it is under way is done once for all of them. */
export class SharedWork<T> {
  readonly #running = new Map<string, Work<T>>();

  /**
   * The result of what goes by that key, which is begun if it is not under way. It is cancelled, by the listener that
   * `begin` registers, when all who wait for it have gone away.
   */
  join(key: string, onAbort: OnAbort, begin: (onAbort: OnAbort) => Promise<T>): Promise<T> {
    const work = this.#running.get(key) ?? this.#begin(key, begin);
    work.waiting++;
    onAbort(() => {
      work.waiting--;
      if (work.waiting > 0) return;
      // Who comes from now on gets work of its own.
      this.#forget(key, work);
      work.cancel();
    });
    return work.result;
  }

  #begin(key: string, begin: (onAbort: OnAbort) => Promise<T>): Work<T> {
    const listeners: (() => void)[] = [];
    const result = begin((listener) => listeners.push(listener)).finally(() => this.#forget(key, work));
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
