import { withControlsEscaped } from '../../results/canonical-cell.ts';

/** The solutions of a SELECT, as TSV from Oxigraph. */
export class Solutions {
  readonly #tsv: string;

  constructor(tsv: string) {
    this.#tsv = withControlsEscaped(tsv);
  }

  /** Calls `use` with the cells of each solution, in the order of the variables. */
  each(use: (cells: readonly string[]) => void): void {
    const tsv = this.#tsv;
    let start = tsv.indexOf('\n') + 1;
    while (start < tsv.length) {
      const end = tsv.indexOf('\n', start);
      use(tsv.slice(start, end).split('\t'));
      start = end + 1;
    }
  }
}
