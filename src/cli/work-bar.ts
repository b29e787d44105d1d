import { TerminalBar } from './terminal-bar.ts';

const FORMAT = '{bar} {percentage}% | {work}';

/** Where a command shows what it is doing. */
export interface WorkDisplay {
  /**
   * `done` of `total` of this work is done, in any unit. Without them, how much is left is unknown.
   */
  show(work: string, done?: number, total?: number): void;
}

/** Shows nothing. */
export const noDisplay: WorkDisplay = { show: () => {} };

/** A bar on standard error, from the first work until `end`. */
export class WorkBar implements WorkDisplay {
  readonly #isShown: boolean;
  #bar: TerminalBar | undefined;
  #work = '';

  constructor(isShown: boolean) {
    this.#isShown = isShown;
  }

  show(work: string, done = 0, total = 0): void {
    if (!this.#isShown) return;
    this.#bar ??= new TerminalBar(FORMAT, 100, { work });
    this.#bar.update(total === 0 ? 0 : Math.floor((100 * done) / total), { work });
    if (work === this.#work) return;
    this.#work = work;
    // The work itself may let no timer run that would draw it.
    this.#bar.draw();
  }

  /** Removes the bar. Further work shows it again. */
  end(): void {
    this.#bar?.remove();
    this.#bar = undefined;
  }
}
