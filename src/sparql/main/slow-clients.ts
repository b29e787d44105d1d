import { LRUCache } from 'lru-cache';

/** The most clients that are remembered. */
const CLIENTS = 10_000;
const MEMORY_MS = 60_000;
/**
 * Number of threads that a client may cost before its queries start on a thread for slow queries.
 */
const MOVES = 5;

/**
 * Clients that repeatedly send slow queries to the thread for quick queries. Each such query
 * terminates that thread, and all quick queries wait for its replacement.
 */
export class SlowClients {
  readonly #moves: LRUCache<string, number>;

  constructor(clock: { now(): number } = performance) {
    this.#moves = new LRUCache({ max: CLIENTS, ttl: MEMORY_MS, ttlResolution: 0, perf: clock });
  }

  /** The server's own queries have no client and are not counted. */
  record(client: string): void {
    if (client !== '') this.#moves.set(client, (this.#moves.get(client) ?? 0) + 1);
  }

  /** Whether any client is recorded. If not, the client of a query need not be determined. */
  get hasRecords(): boolean {
    return this.#moves.size > 0;
  }

  has(client: string): boolean {
    return (this.#moves.get(client) ?? 0) >= MOVES;
  }
}
