import { type Piece, piece } from '../../base/bytes/writer.ts';
import type { TermId } from '../../rdf/model/term-id.ts';
import type { EvaluationContext } from '../evaluate/context.ts';
import type { ResultWriter } from '../evaluate/result-writer.ts';
import { DATE, INSTANT, OTHER } from './datatypes.ts';
import { writePlain, writeString } from './plain-json.ts';
import { type Directives, type Frame, noFrame, type ResultShape } from './result-shape.ts';
import { readNext, type ShapedField } from './shaped-field.ts';
import { instantOf } from './solr-date.ts';
import { ValueReader } from './value-reader.ts';

/** What differs from one search engine to the other. */
interface Target {
  readonly frame: Frame;
  /** Before the name of the start resource, which is a JSON string. */
  readonly open: string;
  /** Between it and the first field. */
  readonly afterName: string;
  /** Whether the name follows again, as the first member of the document. */
  readonly repeatsName: boolean;
  /** Whether the first field comes after a member, and so after a comma. */
  readonly hasMember: boolean;
  readonly close: string;
  /** Whether dates must be instants of UTC. */
  readonly utcDates: boolean;
}

/** An array of documents for the update handler of Solr. */
const solr: Target = {
  frame: { head: '[\n', tail: '\n]\n', lead: 2 },
  open: ',\n{"id":',
  afterName: '',
  repeatsName: false,
  hasMember: true,
  close: '}',
  utcDates: true,
};

/** The same documents in lines of JSON, for programs that send them to Solr. */
const solrDocuments: Target = {
  frame: noFrame,
  open: '{"uri":',
  afterName: ',"result":{"id":',
  repeatsName: true,
  hasMember: true,
  close: '}}\n',
  utcDates: true,
};

/** Pairs of lines for the bulk interface of Elasticsearch and OpenSearch. */
const bulk: Target = {
  frame: noFrame,
  open: '{"index":{"_id":',
  afterName: '}}\n{',
  repeatsName: false,
  hasMember: false,
  close: '}\n',
  utcDates: false,
};

/** The same documents in lines of JSON with the start resource. */
const bulkDocuments: Target = {
  frame: noFrame,
  open: '{"uri":',
  afterName: ',"result":{',
  repeatsName: false,
  hasMember: false,
  close: '}}\n',
  utcDates: false,
};

const targets = { solr, bulk, 'solr-documents': solrDocuments, 'bulk-documents': bulkDocuments };

/**
 * Documents for a search index, with plain values (http-api 4.11). Fields without values are left
 * out.
 */
export class IndexShape implements ResultShape {
  readonly omitsRejected = true;
  readonly frame: Frame;
  readonly #target: Target;
  readonly #open: Piece;
  readonly #afterName: Piece;
  readonly #close: Piece;
  readonly #fields: readonly ShapedField[];
  readonly #keys: readonly Piece[];
  readonly #reader = new ValueReader();
  #hasMember = false;

  constructor(fields: readonly ShapedField[], format: keyof typeof targets) {
    const target: Target = targets[format];
    this.frame = target.frame;
    this.#target = target;
    this.#open = piece(target.open);
    this.#afterName = piece(target.afterName);
    this.#close = piece(target.close);
    this.#fields = fields;
    this.#keys = fields.map(({ name, single }) => piece(`${JSON.stringify(name)}:${single ? '' : '['}`));
  }

  begin(context: EvaluationContext, start: TermId, out: ResultWriter): void {
    out.append(this.#open);
    this.#reader.read(context, start);
    writeString(this.#reader, out);
    out.append(this.#afterName);
    if (this.#target.repeatsName) writeString(this.#reader, out);
    this.#hasMember = this.#target.hasMember;
  }

  field(context: EvaluationContext, index: number, bottom: number, out: ResultWriter): void {
    const field = this.#fields[index]!;
    const reader = this.#reader;
    let at = readNext(context, bottom, field, reader);
    if (at === 0) return;
    this.#comma(out);
    out.append(this.#keys[index]!);
    this.#writeValue(out);
    if (field.single) return;
    for (at = readNext(context, at, field, reader); at > 0; at = readNext(context, at, field, reader)) {
      out.byte(COMMA);
      this.#writeValue(out);
    }
    out.byte(CLOSE_ARRAY);
  }

  end({ boost }: Directives, out: ResultWriter): void {
    if (boost !== undefined) {
      this.#comma(out);
      out.text(`"boost":${boost}`);
    }
    out.append(this.#close);
  }

  #comma(out: ResultWriter): void {
    if (this.#hasMember) out.byte(COMMA);
    this.#hasMember = true;
  }

  #writeValue(out: ResultWriter): void {
    const reader = this.#reader;
    const { valueClass } = reader;
    if (this.#target.utcDates && (valueClass === INSTANT || valueClass === DATE)) {
      const instant = instantOf(textOf(reader), valueClass);
      if (instant !== undefined) {
        out.text(`"${instant}"`);
        return;
      }
    }
    if (valueClass === OTHER) writeString(reader, out);
    else writePlain(reader, out);
  }
}

const decoder = new TextDecoder();

function textOf({ bytes, from, to }: ValueReader): string {
  return decoder.decode(bytes.subarray(from, to));
}

const COMMA = 0x2c;
const CLOSE_ARRAY = 0x5d;
