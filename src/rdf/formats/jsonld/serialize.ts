import { literalParts } from '../../model/literal-bytes.ts';
import type { QuadCursor } from '../../model/quad-cursor.ts';
import { RDF } from '../../model/term.ts';
import type { TermId } from '../../model/term-id.ts';
import { isTripleTermAt } from '../../model/triple-term.ts';
import { ascii, ChunkWriter, type SpareMemory } from '../chunk-writer.ts';
import { GraphNames, type GraphNaming } from '../graph-naming.ts';
import { noTripleTerms } from '../rdf12-errors.ts';
import { type GroupWriter, serializeGroups } from '../subject-groups.ts';

/** Writes JSON-LD in expanded form, without a context (G-45). */
export function serializeJsonLd(
  cursor: QuadCursor,
  naming: GraphNaming,
  spare?: SpareMemory,
): Generator<Uint8Array> {
  return serializeGroups(cursor, new GraphNames(cursor, naming), new JsonLdWriter(cursor, spare));
}

const QUOTE = 0x22;
const LESS = 0x3c;

const nodeId = ascii('{"@id":"');
const graphKey = ascii('","@graph":[');
const endGraph = ascii(']}');
const nodeEnd = ascii('}');
const listEnd = ascii(']');
const quote = ascii('"');
const key = ascii('","');
const anotherKey = ascii(',"');
const keyEnd = ascii('":[');
const typeKey = ascii('@type');
const idEnd = ascii('"}');
const value = ascii('{"@value":"');
const language = ascii('","@language":"');
const direction = ascii('","@direction":"');
const datatype = ascii('","@type":"');
const comma = ascii(',');
const nextNode = ascii(',\n');
const rdfType = ascii(`<${RDF}type>`);

/**
 * Strings and IRIs of canonical N-Triples are valid JSON strings without changes, so everything is
 * copied.
 */
class JsonLdWriter implements GroupWriter {
  readonly output: ChunkWriter;
  readonly #cursor: QuadCursor;
  #named = false;
  #firstNode = true;
  #firstPredicate = true;
  #firstObject = true;
  #subject: TermId = 0;
  #predicate: TermId = 0;
  #typeGroup = false;

  constructor(cursor: QuadCursor, spare: SpareMemory | undefined) {
    this.output = new ChunkWriter(spare);
    this.#cursor = cursor;
  }

  begin(): void {
    this.output.text('[');
  }

  end(): void {
    this.output.text(']\n');
  }

  flushed(): void {}

  openGraph(name: Uint8Array): void {
    this.#named = name.length > 0;
    if (!this.#named) return;
    this.#separateNodes();
    this.output.put(nodeId);
    this.#id(name, 0, name.length);
    this.output.put(graphKey);
    this.#firstNode = true;
  }

  closeGraph(): void {
    if (this.#named) this.output.put(endGraph);
    this.#firstNode = false;
  }

  openSubject(subject: TermId): void {
    const { terms } = this.#cursor;
    this.#subject = subject;
    this.#separateNodes();
    this.output.put(nodeId);
    this.#id(terms.bytes, terms.start(subject), terms.end(subject));
    this.#firstPredicate = true;
  }

  closeSubject(): void {
    this.output.put(nodeEnd);
  }

  openPredicate(predicate: TermId): void {
    this.#predicate = predicate;
    this.#typeGroup = this.#isType(predicate) && !this.#isLiteral(this.#cursor.object);
    this.output.put(this.#firstPredicate ? key : anotherKey);
    this.#firstPredicate = false;
    if (this.#typeGroup) {
      this.output.put(typeKey);
    } else {
      const { terms } = this.#cursor;
      this.#id(terms.bytes, terms.start(predicate), terms.end(predicate));
    }
    this.output.put(keyEnd);
    this.#firstObject = true;
  }

  closePredicate(): void {
    this.output.put(listEnd);
  }

  object(object: TermId): void {
    const literal = this.#isLiteral(object);
    if (this.#typeGroup === literal && this.#isType(this.#predicate)) this.#startNodeAgain();
    if (!this.#firstObject) this.output.put(comma);
    this.#firstObject = false;
    const { terms } = this.#cursor;
    const start = terms.start(object);
    const end = terms.end(object);
    if (literal) this.#literal(start, end);
    else if (isTripleTermAt(terms.bytes, start)) throw noTripleTerms('JSON-LD');
    else if (this.#typeGroup) this.#typeName(start, end);
    else this.#reference(start, end);
  }

  /**
   * `@type` cannot have literals: they need the full predicate, and a key must not occur twice in a
   * node.
   */
  #startNodeAgain(): void {
    this.closePredicate();
    this.closeSubject();
    this.openSubject(this.#subject);
    this.openPredicate(this.#predicate);
  }

  #separateNodes(): void {
    if (!this.#firstNode) this.output.put(nextNode);
    this.#firstNode = false;
  }

  #isLiteral(id: TermId): boolean {
    const { terms } = this.#cursor;
    return terms.bytes[terms.start(id)] === QUOTE;
  }

  #isType(id: TermId): boolean {
    const { terms } = this.#cursor;
    const start = terms.start(id);
    if (terms.end(id) - start !== rdfType.length) return false;
    return rdfType.every((byte, index) => terms.bytes[start + index] === byte);
  }

  /** Writes an IRI without its brackets, or a blank node. */
  #id(bytes: Uint8Array, start: number, end: number): void {
    const bracket = bytes[start] === LESS ? 1 : 0;
    this.output.copy(bytes, start + bracket, end - bracket);
  }

  #typeName(start: number, end: number): void {
    this.output.put(quote);
    this.#id(this.#cursor.terms.bytes, start, end);
    this.output.put(quote);
  }

  #reference(start: number, end: number): void {
    this.output.put(nodeId);
    this.#id(this.#cursor.terms.bytes, start, end);
    this.output.put(idEnd);
  }

  #literal(start: number, end: number): void {
    const { bytes } = this.#cursor.terms;
    const parts = literalParts(bytes, end);
    this.output.put(value);
    this.output.copy(bytes, start + 1, parts.close);
    if (parts.kind !== 'plain') {
      this.output.put(parts.kind === 'tagged' ? language : datatype);
      this.output.copy(bytes, parts.start, parts.end);
    }
    if (parts.direction < parts.directionEnd) {
      this.output.put(direction);
      this.output.copy(bytes, parts.direction, parts.directionEnd);
    }
    this.output.put(idEnd);
  }
}
