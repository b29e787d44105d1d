import { LRUCache } from 'lru-cache';

/** Clients that are remembered. */
const CLIENTS = 10_000;
const MEMORY_MS = 60_000;
/** Threads that a client may cost before its queries begin where they may take long. */
const MOVES = 5;

/**
 * Clients whose queries turned out to be slow, one after another, on the thread for quick ones.
 * Each ends that thread, and all quick queries wait until there is another.
 */
export class SlowClients {
  readonly #moves: LRUCache<string, number>;

  constructor(clock: { now(): number } = performance) {
    this.#moves = new LRUCache({ max: CLIENTS, ttl: MEMORY_MS, ttlResolution: 0, perf: clock });
  }

  /** The server's own queries have no client, and are not counted. */
  record(client: string): void {
    if (client !== '') this.#moves.set(client, (this.#moves.get(client) ?? 0) + 1);
  }

  /** False when there is no need to find out who a client is. */
  get hasRecords(): boolean {
    return this.#moves.size > 0;
  }

  has(client: string): boolean {
    return (this.#moves.get(client) ?? 0) >= MOVES;
  }
}
