import type { IndexReports } from '../../indexing/indexer.ts';
import { TerminalBar } from '../terminal-bar.ts';

const OF_KNOWN = '{bar} {percentage}% | {value}/{total} documents | {rate}/s';
const OF_UNKNOWN = '{value} documents | {rate}/s';

/** Shows on standard error what an indexer does; on a terminal, with a bar for the whole set. */
export class IndexDisplay implements IndexReports {
  readonly #place: string;
  readonly #follows: boolean;
  #bar: TerminalBar | undefined;
  #began = performance.now();
  #count = 0;
  #writesSet = false;

  constructor(place: string, follows: boolean) {
    this.#place = place;
    this.#follows = follows;
  }

  notice = (message: string): void => {
    this.#removeBar();
    say(message);
  };

  total = (count: number | null): void => {
    this.#removeBar();
    this.#began = performance.now();
    this.#count = 0;
    this.#writesSet = true;
    if (!process.stderr.isTTY) return;
    this.#bar = new TerminalBar(count === null ? OF_UNKNOWN : OF_KNOWN, count ?? 0, { rate: 0 });
  };

  written = (count: number): void => {
    this.#count += count;
    this.#bar?.update(this.#count, { rate: this.#rate });
  };

  complete = (): void => {
    this.#removeBar();
    if (this.#writesSet) say(`${this.#documents} written to ${this.#place}, ${this.#rate}/s`);
    this.#writesSet = false;
    this.#count = 0;
    if (this.#follows) say('following the changes');
  };

  /** Says what was written since the whole set, or since the start. */
  end(): void {
    this.#removeBar();
    if (this.#count > 0) say(`${this.#documents} written to ${this.#place} or removed there`);
  }

  get #documents(): string {
    return `${this.#count.toLocaleString('en')} ${this.#count === 1 ? 'document' : 'documents'}`;
  }

  get #rate(): number {
    return Math.round((this.#count * 1000) / Math.max(1, performance.now() - this.#began));
  }

  #removeBar(): void {
    this.#bar?.remove();
    this.#bar = undefined;
  }
}

function say(message: string): void {
  process.stderr.write(`pathpool: ${message}\n`);
}
