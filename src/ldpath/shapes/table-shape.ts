import type { TermId } from '../../rdf/model/term-id.ts';
import type { EvaluationContext } from '../evaluate/context.ts';
import type { ResultWriter } from '../evaluate/result-writer.ts';
import { CellWriter, type TableForm } from './cell-writer.ts';
import type { Directives, Frame, ResultShape } from './result-shape.ts';
import { readNext, type ShapedField } from './shaped-field.ts';
import { ValueReader } from './value-reader.ts';

/** Name of the first column, the start resource. */
const START_COLUMN = 'uri';

/**
 * CSV or TSV (http-api 4.11): a row for each start resource, a column for each field. Several
 * values of a field are one cell, with a separator between them.
 */
export class TableShape implements ResultShape {
  readonly omitsRejected = true;
  readonly frame: Frame;
  readonly #form: TableForm;
  readonly #fields: readonly ShapedField[];
  readonly #single: CellWriter;
  readonly #several: CellWriter;
  readonly #separator: number;
  readonly #reader = new ValueReader();

  constructor(fields: readonly ShapedField[], form: TableForm, separator: string) {
    this.#form = form;
    this.#fields = fields;
    this.#single = new CellWriter(form);
    this.#several = new CellWriter(form, separator);
    this.#separator = separator.charCodeAt(0);
    const names = [START_COLUMN, ...fields.map(({ name }) => name)].map(form.headerCell);
    this.frame = { head: names.join(form.comma) + form.rowEnd, tail: '', lead: 0 };
  }

  begin(context: EvaluationContext, start: TermId, out: ResultWriter): void {
    this.#reader.read(context, start);
    this.#single.begin(out);
    this.#single.write(this.#reader, out);
    this.#single.end(out);
  }

  field(context: EvaluationContext, index: number, bottom: number, out: ResultWriter): void {
    const field = this.#fields[index]!;
    const cell = field.single ? this.#single : this.#several;
    out.byte(this.#form.comma.charCodeAt(0));
    cell.begin(out);
    const reader = this.#reader;
    let at = readNext(context, bottom, field, reader);
    if (at === 0) return;
    cell.write(reader, out);
    while (!field.single) {
      at = readNext(context, at, field, reader);
      if (at === 0) break;
      out.byte(this.#separator);
      cell.write(reader, out);
    }
    cell.end(out);
  }

  end(_directives: Directives, out: ResultWriter): void {
    out.text(this.#form.rowEnd);
  }
}
