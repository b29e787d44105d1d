import { setTimeout as wait } from 'node:timers/promises';

/** Pause of a client after an attempt that failed. */
const RETRY_MS = 50;
/** Writes to one graph, so that reading a graph stays quick. */
const NUMBERS_A_GRAPH = 100;
const NUMBER = /"(\d+)"/g;

/** What clients have seen so far. */
export interface Observed {
  /** Writes that a process has acknowledged. */
  acknowledged: number;
  /** Attempts that failed, and were repeated. */
  failed: number;
  /** Reads that returned the client's newest write, by a process that may not have taken it. */
  reads: number;
  /** Longest time without an acknowledgement to any client, in milliseconds. */
  longestOutageMs: number;
}

export interface TrafficSettings {
  /** The processes, through which each client goes in turn. */
  readonly urls: readonly string[];
  /** Begins the names of the graphs; nothing else may write to them. */
  readonly graphs: string;
  readonly clients: number;
  /** After this time an attempt counts as failed. */
  readonly patienceMs: number;
  /** Time between two writes of a client. */
  readonly pauseMs?: number;
}

interface Client {
  readonly name: string;
  /** The number of the newest write that was acknowledged; its writes are numbered from 1. */
  acknowledged: number;
  /** Names the commit of that write. */
  token: string;
}

/**
 * Clients that write, each in graphs of its own, through all processes in turn.
 * Each adds the triple of its next number until that is acknowledged, and then reads it through
 * another process.
 */
export class Traffic {
  readonly observed: Observed = { acknowledged: 0, failed: 0, reads: 0, longestOutageMs: 0 };
  readonly #settings: TrafficSettings;
  readonly #clients: Client[];
  readonly #running: Promise<void>;
  #isEnding = false;
  #lastAcknowledged = performance.now();
  /** Attempts so far; they go through the processes in turn. */
  #attempts = 0;

  constructor(settings: TrafficSettings) {
    this.#settings = settings;
    this.#clients = Array.from({ length: settings.clients }, (_, index) => ({
      name: `${settings.graphs}:${index}`,
      acknowledged: 0,
      token: '',
    }));
    this.#running = Promise.all(this.#clients.map((client) => this.#run(client))).then(() => {});
    this.#running.catch(() => {
      this.#isEnding = true;
    });
  }

  /** Resolves when more writes have been acknowledged. Rejects when a client saw a wrong answer. */
  async progress(count: number): Promise<void> {
    const wanted = this.observed.acknowledged + count;
    const reached = async () => {
      while (this.observed.acknowledged < wanted && !this.#isEnding) await wait(RETRY_MS);
    };
    await Promise.race([reached(), this.#running]);
  }

  /** Ends when each client has an answer. Rejects when a client saw a wrong answer. */
  async end(): Promise<void> {
    this.#isEnding = true;
    await this.#running;
  }

  /** Counts the acknowledged writes that a process does not have, when it has the last commits. */
  async lostAt(url: string): Promise<number> {
    let lost = 0;
    for (const client of this.#clients) {
      for (let first = 0; first <= client.acknowledged; first += NUMBERS_A_GRAPH) {
        const numbers = await this.#numbersAt(url, client, first);
        if (numbers === undefined) throw new Error(`${url} does not return ${graphOf(client, first)}.`);
        const last = Math.min(client.acknowledged, first + NUMBERS_A_GRAPH - 1);
        for (let number = Math.max(1, first); number <= last; number++) if (!numbers.has(number)) lost++;
      }
    }
    return lost;
  }

  async #run(client: Client): Promise<void> {
    while (!this.#isEnding) {
      if (await this.#write(client, client.acknowledged + 1)) await this.#readBack(client);
      else await wait(RETRY_MS);
      if (this.#settings.pauseMs !== undefined) await wait(this.#settings.pauseMs);
    }
  }

  async #write(client: Client, number: number): Promise<boolean> {
    const answer = await this.#request(this.#nextUrl(), graphOf(client, number), {
      method: 'POST',
      headers: { 'Content-Type': 'application/n-triples' },
      body: `<urn:x:s> <urn:x:number> "${number}" .\n`,
    });
    if (answer === undefined) {
      this.observed.failed++;
      return false;
    }
    client.acknowledged = number;
    client.token = answer.commit ?? '';
    this.#acknowledge();
    return true;
  }

  #acknowledge(): void {
    this.observed.acknowledged++;
    const now = performance.now();
    const outage = now - this.#lastAcknowledged;
    this.observed.longestOutageMs = Math.max(this.observed.longestOutageMs, outage);
    this.#lastAcknowledged = now;
  }

  async #readBack(client: Client): Promise<void> {
    const { acknowledged, token } = client;
    const url = this.#nextUrl();
    const numbers = await this.#numbersAt(url, client, acknowledged);
    if (numbers === undefined) return;
    if (!numbers.has(acknowledged)) throw new Error(`${url} lacks ${acknowledged} at ${token}.`);
    this.observed.reads++;
  }

  /** What a process has of the graph of a number; undefined if it can't tell now. */
  async #numbersAt(url: string, client: Client, number: number): Promise<Set<number> | undefined> {
    const headers = { 'Pathpool-Commit': client.token };
    const answer = await this.#request(url, graphOf(client, number), { headers });
    return answer && new Set(Array.from(answer.text.matchAll(NUMBER), ([, digits]) => Number(digits)));
  }

  #nextUrl(): string {
    const { urls } = this.#settings;
    return urls[this.#attempts++ % urls.length]!;
  }

  /** A response of success; undefined for all others, and where there is none. */
  async #request(
    url: string,
    graph: string,
    init: RequestInit,
  ): Promise<{ commit: string | null; text: string } | undefined> {
    const signal = AbortSignal.timeout(this.#settings.patienceMs);
    try {
      const response = await fetch(`${url}/context?graph=${graph}&format=nt`, { ...init, signal });
      const text = await response.text();
      return response.ok ? { commit: response.headers.get('pathpool-commit'), text } : undefined;
    } catch (error) {
      // No connection, a broken one, or no whole response within the time.
      if (error instanceof TypeError || error instanceof DOMException) return undefined;
      throw error;
    }
  }
}

function graphOf({ name }: Client, number: number): string {
  return `${name}:${Math.floor(number / NUMBERS_A_GRAPH)}`;
}
