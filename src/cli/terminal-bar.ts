import { SingleBar } from 'cli-progress';

/** What a bar shows beside its position, by the names in its format. */
export type BarValues = Readonly<Record<string, string | number>>;

/**
 * A progress bar on standard error, which must be a terminal. The cursor, which it hides, is shown
 * again when it is removed, or when the process ends before.
 */
export class TerminalBar {
  readonly #bar: SingleBar;
  readonly #remove = () => this.remove();

  constructor(format: string, total: number, values: BarValues) {
    this.#bar = new SingleBar({ format, stream: process.stderr, clearOnComplete: true, hideCursor: true });
    this.#bar.start(total, 0, values);
    process.on('exit', this.#remove);
  }

  update(position: number, values: BarValues): void {
    this.#bar.update(position, values);
  }

  /** Shows the last update now; otherwise a timer does, ten times a second. */
  draw(): void {
    this.#bar.render();
  }

  remove(): void {
    process.off('exit', this.#remove);
    this.#bar.stop();
  }
}
