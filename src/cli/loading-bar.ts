import { basename } from 'node:path';
import type { FileProgress, LoadObserver } from '../startup/initial-files.ts';
import { TerminalBar } from './terminal-bar.ts';

const FORMAT = '{bar} {percentage}% | loading {file}: {stage}';

/** Shows how far each file is loaded. */
export class LoadingBar implements LoadObserver {
  readonly everyMs = 200;
  readonly #isShown: boolean;
  #bar: TerminalBar | undefined;

  constructor(isShown: boolean) {
    this.#isShown = isShown;
  }

  /** Only parsing has percents. */
  notice({ file, stage, bytes, parsed }: FileProgress): void {
    if (!this.#isShown) return;
    const values = { file: basename(file), stage };
    this.#bar ??= new TerminalBar(FORMAT, 100, values);
    this.#bar.update(bytes === 0 ? 0 : Math.floor((100 * parsed) / bytes), values);
  }

  end(): void {
    this.#bar?.remove();
  }
}
