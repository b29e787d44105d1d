import type { WorkDisplay } from '../work-display.ts';

/** Shows how much of each stage of a command is done, one after another. */
export class Stages {
  readonly #display: WorkDisplay;
  #stage = '';
  #total = 0;
  #done = 0;

  constructor(display: WorkDisplay) {
    this.#display = display;
  }

  /** `total`: in any unit; 0 if it is unknown. */
  begin(stage: string, total: number): void {
    this.#stage = stage;
    this.#total = total;
    this.#done = 0;
    this.#display.show(stage);
  }

  readonly add = (done: number): void => {
    this.#done = Math.min(this.#total, this.#done + done);
    this.#display.show(this.#stage, this.#done, this.#total);
  };
}
