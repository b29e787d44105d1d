import { type Piece, piece } from '../../base/bytes/writer.ts';
import type { TermId } from '../../rdf/model/term-id.ts';
import type { EvaluationContext } from '../evaluate/context.ts';
import type { ResultWriter } from '../evaluate/result-writer.ts';
import { writePlain } from './plain-json.ts';
import { type Directives, type Frame, noFrame, type ResultShape } from './result-shape.ts';
import { readNext, type ShapedField, storedMode } from './shaped-field.ts';
import { writeStart } from './start-name.ts';
import { writeStoredValues } from './stored-values.ts';
import { VALUES, type ValueMode } from './value-mode.ts';
import { ValueReader } from './value-reader.ts';

/** Of what a document of plain values consists. */
export interface ValuesForm {
  /** Whether the result is that of a path: an array without a name. */
  readonly isPath: boolean;
  /** Whether it is the result alone; otherwise a line of a batch, with the start resource. */
  readonly alone: boolean;
}

/**
 * Plain values as JSON: `{"uri":"…","result":{"title":["Cat"]}}` (http-api 4.11). An array for each
 * field; a field with a single value has the value or null.
 */
export class ValuesShape implements ResultShape {
  readonly omitsRejected = false;
  readonly frame: Frame = noFrame;
  readonly #fields: readonly ShapedField[];
  /** By field; undefined if its values are written one by one. */
  readonly #modes: readonly (ValueMode | undefined)[];
  readonly #keys: readonly Piece[];
  readonly #form: ValuesForm;
  /** Before the fields, after the name of the start resource. */
  readonly #open: Piece;
  readonly #close: Piece;
  readonly #reader = new ValueReader();

  constructor(fields: readonly ShapedField[], form: ValuesForm) {
    this.#fields = fields;
    this.#modes = fields.map((field) => storedMode(field, VALUES));
    this.#keys = fields.map(({ name, single }, i) => {
      const key = form.isPath ? '' : `${i > 0 ? ',' : ''}${JSON.stringify(name)}:`;
      return piece(`${key}${single ? '' : '['}`);
    });
    this.#form = form;
    this.#open = piece(`${form.alone ? '' : '","result":'}${form.isPath ? '' : '{'}`);
    this.#close = piece(form.isPath ? '' : '}');
  }

  begin(context: EvaluationContext, start: TermId, out: ResultWriter): void {
    if (!this.#form.alone) {
      out.append(openUri);
      writeStart(context, start, this.#reader, out);
    }
    out.append(this.#open);
  }

  field(context: EvaluationContext, index: number, bottom: number, out: ResultWriter): void {
    const field = this.#fields[index]!;
    out.append(this.#keys[index]!);
    if (field.single) {
      this.#writeSingle(context, field, bottom, out);
      return;
    }
    const mode = this.#modes[index];
    if (mode === undefined || !writeStoredValues(context, bottom, mode, out)) {
      this.#writeEach(context, bottom, field, out);
    }
    out.byte(CLOSE_ARRAY);
  }

  end({ filter, boost }: Directives, out: ResultWriter): void {
    out.append(this.#close);
    if (this.#form.alone) return;
    if (filter !== undefined) out.text(`,"filter":${filter}`);
    if (boost !== undefined) out.text(`,"boost":${boost}`);
    out.append(closeLine);
  }

  #writeSingle(context: EvaluationContext, field: ShapedField, bottom: number, out: ResultWriter): void {
    if (readNext(context, bottom, field, this.#reader) > 0) writePlain(this.#reader, out);
    else out.append(none);
  }

  #writeEach(context: EvaluationContext, bottom: number, field: ShapedField, out: ResultWriter): void {
    const reader = this.#reader;
    for (let at = readNext(context, bottom, field, reader), i = 0; at > 0; i++) {
      if (i > 0) out.byte(COMMA);
      writePlain(reader, out);
      at = readNext(context, at, field, reader);
    }
  }
}

const openUri = piece('{"uri":"');
const closeLine = piece('}\n');
const none = piece('null');
const COMMA = 0x2c;
const CLOSE_ARRAY = 0x5d;
