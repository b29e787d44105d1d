import { type Piece, piece } from '../../base/bytes/writer.ts';
import type { TermId } from '../../rdf/model/term-id.ts';
import type { EvaluationContext } from '../evaluate/context.ts';
import type { ResultWriter } from '../evaluate/result-writer.ts';
import { writeString } from './plain-json.ts';
import type { Directives, Frame, ResultShape } from './result-shape.ts';
import { readNext, type ShapedField } from './shaped-field.ts';
import { BLANK, IRI, LANGUAGE, TYPED, ValueReader } from './value-reader.ts';

/** The namespace of properties for fields whose names are not IRIs. */
export const FIELD_NAMESPACE = 'urn:x-pathpool:field:';

/**
 * JSON-LD with the fields as properties: a node for each start resource in `@graph` (http-api
 * 4.11). Fields without values are left out.
 */
export class JsonLdShape implements ResultShape {
  readonly omitsRejected = true;
  readonly frame: Frame = {
    head: `{"@context":{"@vocab":"${FIELD_NAMESPACE}"},"@graph":[\n`,
    tail: '\n]}\n',
    lead: 2,
  };
  readonly #fields: readonly ShapedField[];
  readonly #keys: readonly Piece[];
  readonly #reader = new ValueReader();

  constructor(fields: readonly ShapedField[]) {
    this.#fields = fields;
    this.#keys = fields.map(({ name, single }) => piece(`,${JSON.stringify(name)}:${single ? '' : '['}`));
  }

  begin(context: EvaluationContext, start: TermId, out: ResultWriter): void {
    out.append(openNode);
    this.#reader.read(context, start);
    writeString(this.#reader, out);
  }

  field(context: EvaluationContext, index: number, bottom: number, out: ResultWriter): void {
    const field = this.#fields[index]!;
    const reader = this.#reader;
    let at = readNext(context, bottom, field, reader);
    if (at === 0) return;
    out.append(this.#keys[index]!);
    writeValue(reader, out);
    if (field.single) return;
    for (at = readNext(context, at, field, reader); at > 0; at = readNext(context, at, field, reader)) {
      out.byte(COMMA);
      writeValue(reader, out);
    }
    out.byte(CLOSE_ARRAY);
  }

  end(_directives: Directives, out: ResultWriter): void {
    out.byte(CLOSE_OBJECT);
  }
}

/** Triple terms, which JSON-LD does not have, are strings. */
function writeValue(reader: ValueReader, out: ResultWriter): void {
  switch (reader.kind) {
    case IRI:
    case BLANK:
      out.append(openId);
      break;
    case LANGUAGE:
    case TYPED:
      out.append(openValue);
      break;
    default:
      writeString(reader, out);
      return;
  }
  writeString(reader, out);
  if (reader.kind === LANGUAGE) writeTag(reader, out);
  if (reader.kind === TYPED) {
    out.append(openType);
    out.copy(reader.tag, reader.tagFrom, reader.tagTo);
    out.byte(QUOTE);
  }
  out.byte(CLOSE_OBJECT);
}

/** Writes the language and perhaps the direction, `en--ltr`. */
function writeTag({ tag, tagFrom, tagTo }: ValueReader, out: ResultWriter): void {
  const dashes = tagTo - DIRECTION_BYTES;
  const directed = dashes > tagFrom && tag[dashes] === DASH && tag[dashes + 1] === DASH;
  out.append(openLanguage);
  out.copy(tag, tagFrom, directed ? dashes : tagTo);
  out.byte(QUOTE);
  if (!directed) return;
  out.append(openDirection);
  out.copy(tag, dashes + 2, tagTo);
  out.byte(QUOTE);
}

const openNode = piece(',\n{"@id":');
const openId = piece('{"@id":');
const openValue = piece('{"@value":');
const openType = piece(',"@type":"');
const openLanguage = piece(',"@language":"');
const openDirection = piece(',"@direction":"');
/** `--ltr` or `--rtl`. */
const DIRECTION_BYTES = 5;
const QUOTE = 0x22;
const COMMA = 0x2c;
const DASH = 0x2d;
const CLOSE_ARRAY = 0x5d;
const CLOSE_OBJECT = 0x7d;
