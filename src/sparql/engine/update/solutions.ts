import { withControlsEscaped } from '../../results/canonical-cell.ts';

/** The solutions of a SELECT, as Oxigraph writes them in TSV. */
export class Solutions {
  readonly #tsv: string;

  constructor(tsv: string) {
    this.#tsv = withControlsEscaped(tsv);
  }

  /** Calls with the cells of each solution, in the order of the variables, and its number. */
  each(use: (cells: readonly string[], row: number) => void): void {
    const tsv = this.#tsv;
    let start = tsv.indexOf('\n') + 1;
    for (let row = 0; start < tsv.length; row++) {
      const end = tsv.indexOf('\n', start);
      use(tsv.slice(start, end).split('\t'), row);
      start = end + 1;
    }
  }
}
