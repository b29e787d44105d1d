import { TerminalBar } from './terminal-bar.ts';
import type { WorkDisplay } from './work-display.ts';

const FORMAT = '{bar} {percentage}% | {work}';

/** A bar on standard error, which must be a terminal, from the first work until `end`. */
export class WorkBar implements WorkDisplay {
  #bar: TerminalBar | undefined;
  #work = '';

  show(work: string, done = 0, total = 0): void {
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
