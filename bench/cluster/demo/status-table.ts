import type { PathpoolProcess } from '../pathpool-process.ts';
import { statusOf } from '../server-status.ts';
import type { Traffic } from '../traffic.ts';

const PERIOD_MS = 1000;
const COLUMN = 10;

/** Prints a row each second: the newest commit at each server, who writes, and what is done. */
export class StatusTable {
  readonly #servers: readonly PathpoolProcess[];
  readonly #traffic: Traffic;
  readonly #began = performance.now();
  readonly #timer: NodeJS.Timeout;
  #acknowledged = 0;

  constructor(servers: readonly PathpoolProcess[], traffic: Traffic) {
    this.#servers = servers;
    this.#traffic = traffic;
    const commits = servers.map(({ name }) => `commit ${name}`);
    printRow(['time', ...commits, 'lag', 'lease', 'written', 'lately', 'failed']);
    this.#timer = setInterval(() => void this.#print(), PERIOD_MS);
  }

  /** Prints what happens now, between the rows. */
  note(event: string): void {
    console.log(`${this.#time.padStart(COLUMN)}  --- ${event}`);
  }

  end(): void {
    clearInterval(this.#timer);
  }

  async #print(): Promise<void> {
    const statuses = await Promise.all(this.#servers.map(({ url }) => statusOf(url)));
    const commits = statuses.flatMap((status) => (status?.commit ? [status.commit] : []));
    const { acknowledged, failed } = this.#traffic.observed;
    const lately = acknowledged - this.#acknowledged;
    this.#acknowledged = acknowledged;
    printRow([
      this.#time,
      ...statuses.map((status) => status?.commit || '-'),
      commits.length === 0 ? '-' : Math.max(...commits) - Math.min(...commits),
      this.#servers
        .filter((_, index) => statuses[index]?.holdsLease)
        .map(({ name }) => name)
        .join() || '-',
      acknowledged,
      lately,
      failed,
    ]);
  }

  get #time(): string {
    return `${Math.round((performance.now() - this.#began) / 1000)} s`;
  }
}

function printRow(cells: readonly (string | number)[]): void {
  console.log(cells.map((cell) => String(cell).padStart(COLUMN)).join(''));
}
