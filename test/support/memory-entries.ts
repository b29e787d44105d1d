import type { Entries, Entry } from '../../src/cluster/membership/entries.ts';

/** Entries without expiry, in memory. Several handles may share them. */
export class MemoryEntries implements Entries {
  readonly #entries = new Map<string, Entry>();
  #revision = 0;
  /** Called before a change, as if another process came first. */
  beforeChange: () => Promise<void> = async () => {};

  /** What `get` returns once, as if it had been asked before a change. */
  nextAnswer: Entry | undefined;

  async get(key: string): Promise<Entry | undefined> {
    const answer = this.nextAnswer;
    this.nextAnswer = undefined;
    if (answer) return answer;
    return this.#entries.get(key);
  }

  async create(key: string, value: string): Promise<number | undefined> {
    await this.#overtake();
    return this.#entries.has(key) ? undefined : this.#set(key, value);
  }

  async update({ key, value, revision }: Entry): Promise<number | undefined> {
    await this.#overtake();
    return this.#entries.get(key)?.revision === revision ? this.#set(key, value) : undefined;
  }

  async put(key: string, value: string): Promise<void> {
    this.#set(key, value);
  }

  async remove(key: string): Promise<void> {
    this.#entries.delete(key);
  }

  async watch(): Promise<() => void> {
    return () => {};
  }

  async #overtake(): Promise<void> {
    const overtake = this.beforeChange;
    this.beforeChange = async () => {};
    await overtake();
  }

  #set(key: string, value: string): number {
    this.#revision++;
    this.#entries.set(key, { key, value, revision: this.#revision });
    return this.#revision;
  }
}
