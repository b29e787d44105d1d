import { type Piece, piece } from '../../base/bytes/writer.ts';
import type { TermId } from '../../rdf/model/term-id.ts';
import type { EvaluationContext } from '../evaluate/context.ts';
import type { ResultWriter } from '../evaluate/result-writer.ts';
import { DATE, INSTANT, OTHER } from './datatypes.ts';
import { writePlain, writeString } from './plain-json.ts';
import { type Directives, type Frame, noFrame, type ResultShape } from './result-shape.ts';
import { readNext, type ShapedField, storedMode } from './shaped-field.ts';
import { instantOf } from './solr-date.ts';
import { writeStart } from './start-name.ts';
import { writeStoredValues } from './stored-values.ts';
import { UNDATED, VALUES, type ValueMode } from './value-mode.ts';
import { ValueReader } from './value-reader.ts';

/** What differs from one search engine to the other. */
interface Target {
  readonly frame: Frame;
  /** Before the name of the start resource, with the opening quote. */
  readonly open: string;
  /** After the name, with the closing quote, and before the first field. */
  readonly afterName: string;
  /** Between it and the name again, as the first member of the document. */
  readonly again?: string;
  /** Whether the first field comes after a member, and so after a comma. */
  readonly hasMember: boolean;
  readonly close: string;
  /** Whether dates must be instants of UTC. */
  readonly utcDates: boolean;
}

/** An array of documents for the update handler of Solr. */
const solr: Target = {
  frame: { head: '[\n', tail: '\n]\n', lead: 2 },
  open: ',\n{"id":"',
  afterName: '"',
  hasMember: true,
  close: '}',
  utcDates: true,
};

/** The same documents in lines of JSON, for programs that send them to Solr. */
const solrDocuments: Target = {
  frame: noFrame,
  open: '{"uri":"',
  again: '","result":{"id":"',
  afterName: '"',
  hasMember: true,
  close: '}}\n',
  utcDates: true,
};

/** Pairs of lines for the bulk interface of Elasticsearch and OpenSearch. */
const bulk: Target = {
  frame: noFrame,
  open: '{"index":{"_id":"',
  afterName: '"}}\n{',
  hasMember: false,
  close: '}\n',
  utcDates: false,
};

/** The same documents in lines of JSON with the start resource. */
const bulkDocuments: Target = {
  frame: noFrame,
  open: '{"uri":"',
  afterName: '","result":{',
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
  readonly #again: Piece | undefined;
  readonly #afterName: Piece;
  readonly #close: Piece;
  readonly #fields: readonly ShapedField[];
  /** By field; undefined if its values are written one by one. */
  readonly #modes: readonly (ValueMode | undefined)[];
  readonly #keys: readonly Piece[];
  readonly #reader = new ValueReader();
  #hasMember = false;

  constructor(fields: readonly ShapedField[], format: keyof typeof targets) {
    const target: Target = targets[format];
    this.frame = target.frame;
    this.#target = target;
    this.#open = piece(target.open);
    this.#again = target.again === undefined ? undefined : piece(target.again);
    this.#afterName = piece(target.afterName);
    this.#close = piece(target.close);
    this.#fields = fields;
    const unconverted = target.utcDates ? UNDATED : VALUES;
    this.#modes = fields.map((field) => (field.single ? undefined : storedMode(field, unconverted)));
    this.#keys = fields.map(({ name, single }) => piece(`${JSON.stringify(name)}:${single ? '' : '['}`));
  }

  begin(context: EvaluationContext, start: TermId, out: ResultWriter): void {
    out.append(this.#open);
    writeStart(context, start, this.#reader, out);
    if (this.#again) {
      out.append(this.#again);
      writeStart(context, start, this.#reader, out);
    }
    out.append(this.#afterName);
    this.#hasMember = this.#target.hasMember;
  }

  field(context: EvaluationContext, index: number, bottom: number, out: ResultWriter): void {
    if (context.stack.length === bottom) return;
    const { single } = this.#fields[index]!;
    const before = out.length;
    if (this.#hasMember) out.byte(COMMA);
    out.append(this.#keys[index]!);
    const mode = this.#modes[index];
    const isWritten = mode !== undefined && writeStoredValues(context, bottom, mode, out);
    if (!isWritten && !this.#writeEach(context, index, bottom, out)) {
      out.length = before;
      return;
    }
    this.#hasMember = true;
    if (!single) out.byte(CLOSE_ARRAY);
  }

  /** Returns whether there are values: some may not convert. */
  #writeEach(context: EvaluationContext, index: number, bottom: number, out: ResultWriter): boolean {
    const field = this.#fields[index]!;
    const reader = this.#reader;
    let at = readNext(context, bottom, field, reader);
    if (at === 0) return false;
    this.#writeValue(out);
    while (!field.single) {
      at = readNext(context, at, field, reader);
      if (at === 0) break;
      out.byte(COMMA);
      this.#writeValue(out);
    }
    return true;
  }

  end({ boost }: Directives, out: ResultWriter): void {
    if (boost !== undefined) {
      if (this.#hasMember) out.byte(COMMA);
      out.text(`"boost":${boost}`);
    }
    out.append(this.#close);
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
