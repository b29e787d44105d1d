import { type Piece, piece } from '../../base/bytes/writer.ts';
import type { TermId } from '../../rdf/model/term-id.ts';
import type { EvaluationContext } from '../evaluate/context.ts';
import type { ResultWriter } from '../evaluate/result-writer.ts';
import { CellWriter, type TableForm } from './cell-writer.ts';
import type { Directives, Frame, ResultShape } from './result-shape.ts';
import { readNext, type ShapedField, storedMode } from './shaped-field.ts';
import { StoredCells } from './stored-cells.ts';
import { VALUES, type ValueMode } from './value-mode.ts';
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
  readonly #comma: number;
  readonly #rowEnd: Piece;
  readonly #fields: readonly ShapedField[];
  /** By field; undefined if its values are written one by one. */
  readonly #modes: readonly (ValueMode | undefined)[];
  readonly #stored: StoredCells;
  readonly #single: CellWriter;
  readonly #several: CellWriter;
  readonly #separator: number;
  readonly #reader = new ValueReader();

  constructor(fields: readonly ShapedField[], form: TableForm, separator: string) {
    this.#comma = form.comma.charCodeAt(0);
    this.#rowEnd = piece(form.rowEnd);
    this.#fields = fields;
    this.#modes = fields.map((field) => (field.single ? undefined : storedMode(field, VALUES)));
    this.#single = new CellWriter(form);
    this.#several = new CellWriter(form, separator);
    this.#separator = separator.charCodeAt(0);
    this.#stored = new StoredCells({
      separator: this.#separator,
      comma: form.quotes ? this.#comma : undefined,
    });
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
    out.byte(this.#comma);
    cell.begin(out);
    const mode = this.#modes[index];
    if (mode !== undefined && this.#stored.write(context, bottom, mode, out)) {
      if (context.stack.length > bottom) cell.endStored(this.#stored.hasComma, out);
      return;
    }
    this.#writeEach(context, field, bottom, out);
  }

  #writeEach(context: EvaluationContext, field: ShapedField, bottom: number, out: ResultWriter): void {
    const cell = field.single ? this.#single : this.#several;
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
    out.append(this.#rowEnd);
  }
}
