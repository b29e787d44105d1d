import { literalParts } from '../../model/literal-bytes.ts';
import type { QuadCursor } from '../../model/quad-cursor.ts';
import type { TermId } from '../../model/term-id.ts';
import { isTripleTermAt } from '../../model/triple-term.ts';
import { ascii, ChunkWriter, type SpareMemory } from '../chunk-writer.ts';
import { GraphNames } from '../graph-naming.ts';
import { noDirections, noTripleTerms } from '../rdf12-errors.ts';
import type { GroupWriter } from '../structure/group-writer.ts';
import { serializeGroups } from '../structure/serialize-groups.ts';

/**
 * Writes RDF/JSON (G-44). A subject must not occur in two graphs, since a key must not occur twice.
 */
export function serializeRdfJson(cursor: QuadCursor, spare?: SpareMemory): Generator<Uint8Array> {
  return serializeGroups(
    cursor,
    new GraphNames(cursor.terms, { graphs: false }),
    new RdfJsonWriter(cursor, spare),
  );
}

const LESS = 0x3c;
const QUOTE = 0x22;

const quote = ascii('"');
const subjectEnd = ascii('":{');
const predicateEnd = ascii('":[');
const nextSubject = ascii(',\n"');
const nextPredicate = ascii(',"');
const comma = ascii(',');
const endList = ascii(']');
const endNode = ascii('}');
const uri = ascii('{"type":"uri","value":"');
const blank = ascii('{"type":"bnode","value":"');
const literal = ascii('{"type":"literal","value":"');
const language = ascii('","lang":"');
const datatype = ascii('","datatype":"');
const endValue = ascii('"}');

/**
 * Strings and IRIs of canonical N-Triples are valid JSON strings without changes, so everything is
 * copied.
 */
class RdfJsonWriter implements GroupWriter {
  readonly output: ChunkWriter;
  readonly #cursor: QuadCursor;
  #firstSubject = true;
  #firstPredicate = true;
  #firstObject = true;

  constructor(cursor: QuadCursor, spare: SpareMemory | undefined) {
    this.output = new ChunkWriter(spare);
    this.#cursor = cursor;
  }

  begin(): void {
    this.output.text('{');
  }

  end(): void {
    this.output.text('}\n');
  }

  flushed(): void {}

  openGraph(): void {}

  closeGraph(): void {}

  openSubject(subject: TermId): void {
    this.output.put(this.#firstSubject ? quote : nextSubject);
    this.#firstSubject = false;
    this.#name(subject);
    this.output.put(subjectEnd);
    this.#firstPredicate = true;
  }

  closeSubject(): void {
    this.output.put(endNode);
  }

  openPredicate(predicate: TermId): void {
    this.output.put(this.#firstPredicate ? quote : nextPredicate);
    this.#firstPredicate = false;
    this.#name(predicate);
    this.output.put(predicateEnd);
    this.#firstObject = true;
  }

  closePredicate(): void {
    this.output.put(endList);
  }

  object(object: TermId): void {
    if (!this.#firstObject) this.output.put(comma);
    this.#firstObject = false;
    const { terms } = this.#cursor;
    const first = terms.bytes[terms.start(object)];
    if (first === QUOTE) {
      this.#literal(terms.start(object), terms.end(object));
    } else {
      if (isTripleTermAt(terms.bytes, terms.start(object))) throw noTripleTerms('RDF/JSON');
      this.output.put(first === LESS ? uri : blank);
      this.#name(object);
    }
    this.output.put(endValue);
  }

  /** Writes an IRI without its brackets, or a blank node. */
  #name(id: TermId): void {
    const { terms } = this.#cursor;
    const start = terms.start(id);
    const bracket = terms.bytes[start] === LESS ? 1 : 0;
    this.output.copy(terms.bytes, start + bracket, terms.end(id) - bracket);
  }

  #literal(start: number, end: number): void {
    const { bytes } = this.#cursor.terms;
    const parts = literalParts(bytes, end);
    if (parts.direction < parts.directionEnd) throw noDirections('RDF/JSON');
    this.output.put(literal);
    this.output.copy(bytes, start + 1, parts.close);
    if (parts.kind === 'plain') return;
    this.output.put(parts.kind === 'tagged' ? language : datatype);
    this.output.copy(bytes, parts.start, parts.end);
  }
}
