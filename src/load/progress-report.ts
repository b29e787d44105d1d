import { TerminalBar } from '../cli/terminal-bar.ts';

const REDRAW_MS = 100;

/** Shows the progress of loading as a bar on standard error, and at the end the speed. */
export class LoadProgress {
  readonly #bar: TerminalBar | undefined;
  readonly #began = performance.now();
  #bytes = 0;
  #statements = 0;
  #drawn = 0;

  /** `total`: bytes of all files. `shown`: whether to show the bar. */
  constructor(total: number, shown: boolean) {
    if (!shown) return;
    const format = '{bar} {percentage}% | {statements} statements, {rate}/s | {eta_formatted} left';
    this.#bar = new TerminalBar(format, total, { statements: 0, rate: 0 });
  }

  add(bytes: number, statements: number): void {
    this.#bytes += bytes;
    this.#statements += statements;
    if (!this.#bar || performance.now() - this.#drawn < REDRAW_MS) return;
    this.#drawn = performance.now();
    this.#bar.update(this.#bytes, { statements: shown(this.#statements), rate: shown(this.#rate) });
  }

  /** Removes the bar. */
  end(): void {
    this.#bar?.remove();
  }

  summary(): string {
    const seconds = (performance.now() - this.#began) / 1000;
    return `${shown(this.#statements)} statements read in ${seconds.toFixed(1)} s, ${shown(this.#rate)}/s`;
  }

  get #rate(): number {
    return (1000 * this.#statements) / (performance.now() - this.#began);
  }
}

function shown(count: number): string {
  return Math.round(count).toLocaleString('en');
}
