import { TerminalBar } from '../terminal-bar.ts';

const FORMAT = '{bar} {percentage}% | {stage}';
const REDRAW_MS = 100;

/** Shows how much of each stage of a command is done, one after another. */
export class StageBar {
  readonly #isShown: boolean;
  #bar: TerminalBar | undefined;
  #stage = '';
  #total = 0;
  #done = 0;
  #drawn = 0;

  constructor(isShown: boolean) {
    this.#isShown = isShown;
  }

  /** `total`: in any unit. */
  begin(stage: string, total: number): void {
    if (!this.#isShown) return;
    this.#stage = stage;
    this.#total = total;
    this.#done = 0;
    this.#bar ??= new TerminalBar(FORMAT, 100, { stage });
    this.#draw();
  }

  readonly add = (done: number): void => {
    this.#done += done;
    if (this.#bar && performance.now() - this.#drawn >= REDRAW_MS) this.#draw();
  };

  /** Removes the bar. */
  end(): void {
    this.#bar?.remove();
    this.#bar = undefined;
  }

  #draw(): void {
    this.#drawn = performance.now();
    const percents = this.#total === 0 ? 0 : Math.min(100, Math.floor((100 * this.#done) / this.#total));
    this.#bar?.update(percents, { stage: this.#stage });
  }
}
