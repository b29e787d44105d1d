import type { Entries, Entry } from '../../src/cluster/membership/entries.ts';

/** A clock that a test moves, and what is to happen on it. */
export class FakeTime {
  #now = 0;
  #order = 0;
  #events: { readonly at: number; readonly order: number; readonly happen: () => void }[] = [];

  get now(): number {
    return this.#now;
  }

  later(ms: number, happen: () => void): void {
    this.#events.push({ at: this.#now + ms, order: this.#order++, happen });
  }

  pause(ms: number): Promise<void> {
    return new Promise((resolve) => this.later(ms, resolve));
  }

  /** Lets everything happen until then, one after another, each with all that follows from it. */
  async run(ms: number, check: () => void = () => {}): Promise<void> {
    const end = this.#now + ms;
    for (;;) {
      const [next] = this.#events
        .filter(({ at }) => at <= end)
        .sort((a, b) => a.at - b.at || a.order - b.order);
      if (!next) break;
      this.#events = this.#events.filter((event) => event !== next);
      this.#now = next.at;
      next.happen();
      await new Promise(setImmediate);
      check();
    }
    this.#now = end;
  }
}

interface Stored extends Entry {
  readonly at: number;
}

type Changed = (key: string, value: string | undefined) => void;

/** How a process reaches the log servers. */
export interface Link {
  /** Milliseconds that a message is on its way. */
  delay: () => number;
  /** Whether a message is lost: on its way to the log servers, or on the way back. */
  loses: () => boolean;
}

const TIMEOUT_MS = 5_000;

/** The log servers' bucket whose entries expire, in memory. */
export class FakeBucket {
  readonly #time: FakeTime;
  readonly #lifeMs: number;
  readonly #entries = new Map<string, Stored>();
  readonly #watchers = new Set<{ readonly changed: Changed; readonly ended: () => void }>();
  #revision = 0;

  constructor(time: FakeTime, lifeMs = 5_000) {
    this.#time = time;
    this.#lifeMs = lifeMs;
  }

  get watchers(): number {
    return this.#watchers.size;
  }

  /** Ends all watches, as a lost connection may. */
  endWatches(): void {
    const ended = [...this.#watchers];
    this.#watchers.clear();
    for (const watcher of ended) watcher.ended();
  }

  /** The bucket as one process sees it. */
  for(link: Link): Entries {
    const send = <T>(action: () => T) => this.#send(link, action);
    return {
      get: (key) => send(() => this.#get(key)),
      create: (key, value) => send(() => (this.#get(key) ? undefined : this.#set(key, value))),
      update: ({ key, value, revision }) =>
        send(() => (this.#get(key)?.revision === revision ? this.#set(key, value) : undefined)),
      put: (key, value) => send(() => void this.#set(key, value)),
      remove: (key, revision) =>
        send(() => {
          const found = this.#get(key);
          if (found && (revision === undefined || found.revision === revision)) this.#remove(key);
        }),
      watch: (changed, ended) =>
        send(() => {
          const watcher = { changed, ended };
          this.#watchers.add(watcher);
          for (const { key, value } of this.#entries.values()) if (this.#get(key)) changed(key, value);
          return () => void this.#watchers.delete(watcher);
        }),
    };
  }

  async #send<T>({ delay, loses }: Link, action: () => T): Promise<T> {
    const lost = async () => {
      await this.#time.pause(TIMEOUT_MS);
      throw new Error('timeout');
    };
    if (loses()) return lost();
    await this.#time.pause(delay());
    const result = action();
    if (loses()) return lost();
    await this.#time.pause(delay());
    return result;
  }

  #get(key: string): Entry | undefined {
    const found = this.#entries.get(key);
    return found && this.#time.now - found.at < this.#lifeMs ? found : undefined;
  }

  #set(key: string, value: string): number {
    this.#revision++;
    this.#entries.set(key, { key, value, revision: this.#revision, at: this.#time.now });
    for (const { changed } of this.#watchers) changed(key, value);
    return this.#revision;
  }

  #remove(key: string): void {
    this.#entries.delete(key);
    for (const { changed } of this.#watchers) changed(key, undefined);
  }
}
