import { TerminalBar } from '../terminal-bar.ts';

/** Shows the progress, and at the end the speed. */
export class Progress {
  readonly #bar: TerminalBar | undefined;
  readonly #began = performance.now();
  #count = 0;
  #errors = 0;

  /** `total`: null if it is unknown. `shown`: whether to show a bar on standard error. */
  constructor(total: number | null, shown: boolean) {
    if (!shown) return;
    const ofTotal = '{bar} {percentage}% | {value}/{total} | {eta_formatted} left';
    const format = `${total === null ? '{value}' : ofTotal} | {errors} errors`;
    this.#bar = new TerminalBar(format, total ?? 0, { errors: 0 });
  }

  get errors(): number {
    return this.#errors;
  }

  add(count: number, errors: number): void {
    this.#count += count;
    this.#errors += errors;
    this.#bar?.update(this.#count, { errors: this.#errors });
  }

  /** Removes the bar. */
  end(): void {
    this.#bar?.remove();
  }

  summary(): string {
    const seconds = (performance.now() - this.#began) / 1000;
    const rate = Math.round(this.#count / seconds).toLocaleString('en');
    const count = this.#count.toLocaleString('en');
    return `${count} evaluations in ${seconds.toFixed(1)} s, ${rate}/s, ${this.#errors.toLocaleString('en')} errors`;
  }
}
