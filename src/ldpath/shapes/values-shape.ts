import { type Piece, piece } from '../../base/bytes/writer.ts';
import type { TermId } from '../../rdf/model/term-id.ts';
import type { EvaluationContext } from '../evaluate/context.ts';
import type { ResultWriter } from '../evaluate/result-writer.ts';
import { writePlain, writeString } from './plain-json.ts';
import { type Directives, type Frame, noFrame, type ResultShape } from './result-shape.ts';
import { readNext, type ShapedField } from './shaped-field.ts';
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
  readonly #keys: readonly Piece[];
  readonly #form: ValuesForm;
  readonly #close: Piece;
  readonly #reader = new ValueReader();

  constructor(fields: readonly ShapedField[], form: ValuesForm) {
    this.#fields = fields;
    this.#keys = fields.map(({ name }, i) =>
      piece(form.isPath ? '' : `${i > 0 ? ',' : ''}${JSON.stringify(name)}:`),
    );
    this.#form = form;
    this.#close = piece(form.isPath ? '' : '}');
  }

  begin(context: EvaluationContext, start: TermId, out: ResultWriter): void {
    const { isPath, alone } = this.#form;
    if (!alone) {
      out.append(openUri);
      this.#reader.read(context, start);
      writeString(this.#reader, out);
      out.append(openResult);
    }
    if (!isPath) out.byte(OPEN_OBJECT);
  }

  field(context: EvaluationContext, index: number, bottom: number, out: ResultWriter): void {
    const field = this.#fields[index]!;
    out.append(this.#keys[index]!);
    if (field.single) this.#writeSingle(context, field, bottom, out);
    else writeArray(context, bottom, field, this.#reader, out);
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
}

/** Writes the plain values of a field. */
// biome-ignore lint/complexity/useMaxParams: an object for each field would cost time
export function writeArray(
  context: EvaluationContext,
  bottom: number,
  field: ShapedField,
  reader: ValueReader,
  out: ResultWriter,
): void {
  out.byte(OPEN_ARRAY);
  for (let at = readNext(context, bottom, field, reader), i = 0; at > 0; i++) {
    if (i > 0) out.byte(COMMA);
    writePlain(reader, out);
    at = readNext(context, at, field, reader);
  }
  out.byte(CLOSE_ARRAY);
}

const openUri = piece('{"uri":');
const openResult = piece(',"result":');
const closeLine = piece('}\n');
const none = piece('null');
const COMMA = 0x2c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
