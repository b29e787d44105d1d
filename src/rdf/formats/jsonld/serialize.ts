import { literalParts } from '../../model/literal-bytes.ts';
import type { TermBytes } from '../../model/path-graph.ts';
import type { QuadCursor } from '../../model/quad-cursor.ts';
import { RDF } from '../../model/term.ts';
import type { TermId } from '../../model/term-id.ts';
import { isTripleTermAt } from '../../model/triple-term.ts';
import { ascii, ChunkWriter, type SpareMemory } from '../chunk-writer.ts';
import { GraphNames, type GraphNaming } from '../graph-naming.ts';
import type { PrefixTable } from '../prefix-table.ts';
import { noTripleTerms } from '../rdf12-errors.ts';
import type { NestingWriter } from '../structure/group-writer.ts';
import { NIL, termEquals } from '../structure/same-bytes.ts';
import { serializeNested } from '../structure/serialize-groups.ts';
import { CompactIris } from './compact-iris.ts';
import { jsonTextOf } from './json-text.ts';

export interface JsonLdStyle extends GraphNaming {
  /** Whether IRIs are abbreviated, and arrays of one value left out. */
  readonly isCompacted: boolean;
  /** For compacted form. */
  readonly prefixes: PrefixTable;
}

/** Writes JSON-LD in expanded form without a context (G-45), or in compacted form (G-49). */
export function serializeJsonLd(
  cursor: QuadCursor,
  style: JsonLdStyle,
  spare?: SpareMemory,
): Generator<Uint8Array> {
  const { terms } = cursor;
  const writer = new JsonLdWriter(terms, style, spare);
  return serializeNested(cursor, new GraphNames(terms, style), writer);
}

const QUOTE = 0x22;
const LESS = 0x3c;

const node = ascii('{"@id":"');
const plainNode = ascii('{"@context":null,"@id":"');
const graphKey = ascii('","@graph":[');
const endGraph = ascii(']}');
const objectEnd = ascii('}');
const arrayStart = ascii('[');
const arrayEnd = ascii(']');
const quote = ascii('"');
const key = ascii('","');
const anotherKey = ascii(',"');
const keyEnd = ascii('":');
const typeKey = ascii('@type');
const idEnd = ascii('"}');
const value = ascii('{"@value":"');
const plainValue = ascii('{"@context":null,"@value":"');
const json = ascii('{"@type":"@json","@value":');
const language = ascii('","@language":"');
const direction = ascii('","@direction":"');
const datatype = ascii('","@type":"');
const list = ascii('{"@list":[');
const emptyList = ascii('{"@list":[]}');
const comma = ascii(',');
const nextNode = ascii(',\n');
const rdfType = ascii(`<${RDF}type>`);

/** What the values of the open key are; `none` if no key has been written. */
type Key = 'none' | 'types' | 'values';

/**
 * Strings and IRIs of canonical N-Triples are valid JSON strings without changes, so most is
 * copied.
 */
class JsonLdWriter implements NestingWriter {
  readonly nests = 'lists';
  readonly output: ChunkWriter;
  readonly #terms: TermBytes;
  /** Undefined in expanded form. */
  readonly #compact: CompactIris | undefined;
  #named = false;
  #firstNode = true;
  #firstPredicate = true;
  #firstObject = true;
  #subject: TermId = 0;
  #predicate: TermId = 0;
  #isType = false;
  #isSingle = false;
  #key: Key = 'none';
  /** Number of lists within one another. */
  #lists = 0;

  constructor(terms: TermBytes, style: JsonLdStyle, spare: SpareMemory | undefined) {
    this.output = new ChunkWriter(spare);
    this.#terms = terms;
    if (style.isCompacted) this.#compact = new CompactIris(this.output, style.prefixes);
  }

  begin(): void {
    this.#compact?.begin();
    this.output.put(arrayStart);
  }

  end(): void {
    this.output.put(arrayEnd);
    if (this.#compact) this.output.put(objectEnd);
    this.output.text('\n');
  }

  flushed(): void {
    this.#compact?.close();
  }

  openGraph(name: Uint8Array): void {
    this.#named = name.length > 0;
    if (!this.#named) return;
    this.#separateNodes();
    this.#openNode(name, 0, name.length);
    this.output.put(graphKey);
    this.#firstNode = true;
    this.#compact?.enterGraph();
  }

  closeGraph(): void {
    if (this.#named) this.output.put(endGraph);
    this.#firstNode = false;
    this.#compact?.leaveGraph();
  }

  openSubject(subject: TermId): void {
    this.#subject = subject;
    this.#separateNodes();
    this.#openNode(this.#terms.bytes, this.#terms.start(subject), this.#terms.end(subject));
    this.#firstPredicate = true;
  }

  closeSubject(): void {
    this.output.put(this.#firstPredicate ? idEnd : objectEnd);
    this.#compact?.leaveNode();
  }

  openPredicate(predicate: TermId, isSingle: boolean): void {
    this.#predicate = predicate;
    this.#isType = termEquals(this.#terms, predicate, rdfType);
    this.#isSingle = isSingle && this.#compact !== undefined;
    this.#key = 'none';
  }

  closePredicate(): void {
    if (!this.#isSingle) this.output.put(arrayEnd);
  }

  object(object: TermId): void {
    const { bytes, ends } = this.#terms;
    const start = ends[object - 1]!;
    const end = ends[object]!;
    const isLiteral = bytes[start] === QUOTE;
    if (isTripleTermAt(bytes, start)) throw noTripleTerms('JSON-LD');
    if (this.#lists === 0 && this.#isType && !isLiteral) {
      this.#typeName(start, end);
      return;
    }
    this.#separateValues('values');
    if (isLiteral) this.#literal(start, end);
    else if (termEquals(this.#terms, object, NIL)) this.output.put(emptyList);
    else this.#reference(start, end);
  }

  /** Not called, since only lists are nested. */
  openNode(): void {}

  closeNode(): void {}

  openList(): void {
    this.#separateValues('values');
    this.output.put(list);
    this.#lists++;
    this.#firstObject = true;
  }

  closeList(): void {
    this.output.put(endGraph);
    this.#lists--;
    this.#firstObject = false;
  }

  /** Writes what precedes a value: its key, or a comma. */
  #separateValues(wanted: Key): void {
    if (this.#lists > 0 || this.#key === wanted) {
      if (!this.#firstObject) this.output.put(comma);
    } else {
      // `@type` cannot have literals and lists: they need the full predicate. A key must not occur
      // twice in a node, so the node is written again.
      if (this.#key !== 'none') this.#openAgain();
      this.#openKey(wanted);
    }
    this.#firstObject = false;
  }

  #openKey(wanted: Key): void {
    const { bytes } = this.#terms;
    const start = this.#terms.start(this.#predicate);
    const end = this.#terms.end(this.#predicate);
    if (wanted === 'values' && this.#compact?.isAmbiguous(bytes, start, end)) this.#openPlain();
    this.output.put(this.#firstPredicate ? key : anotherKey);
    this.#firstPredicate = false;
    if (wanted === 'types') this.output.put(typeKey);
    else this.#id(bytes, start, end);
    this.output.put(keyEnd);
    if (!this.#isSingle) this.output.put(arrayStart);
    this.#key = wanted;
    this.#firstObject = true;
  }

  #openAgain(): void {
    this.closePredicate();
    this.closeSubject();
    this.openSubject(this.#subject);
  }

  /** Begins the node again, without the context. */
  #openPlain(): void {
    this.closeSubject();
    this.#compact?.enterPlainNode();
    this.openSubject(this.#subject);
  }

  #separateNodes(): void {
    if (!this.#firstNode) this.output.put(nextNode);
    this.#firstNode = false;
  }

  #openNode(bytes: Uint8Array, start: number, end: number): void {
    const compact = this.#compact;
    if (compact?.isAmbiguous(bytes, start, end)) compact.enterPlainNode();
    this.output.put(compact?.beginsPlainNode() ? plainNode : node);
    this.#id(bytes, start, end);
  }

  /** Writes an IRI without its brackets, or a blank node. */
  #id(bytes: Uint8Array, start: number, end: number): void {
    if (bytes[start] !== LESS) this.output.copy(bytes, start, end);
    else if (this.#compact) this.#compact.write(bytes, start, end);
    else this.output.copy(bytes, start + 1, end - 1);
  }

  #typeName(start: number, end: number): void {
    const { bytes } = this.#terms;
    if (this.#compact?.isAmbiguous(bytes, start, end)) {
      if (this.#key !== 'none') this.closePredicate();
      this.#openPlain();
      this.#key = 'none';
    }
    this.#separateValues('types');
    this.output.put(quote);
    this.#id(bytes, start, end);
    this.output.put(quote);
  }

  #reference(start: number, end: number): void {
    const { bytes } = this.#terms;
    if (this.#compact?.isAmbiguous(bytes, start, end)) {
      this.output.put(plainNode);
      this.output.copy(bytes, start + 1, end - 1);
    } else {
      this.output.put(node);
      this.#id(bytes, start, end);
    }
    this.output.put(idEnd);
  }

  #literal(start: number, end: number): void {
    const { bytes } = this.#terms;
    const parts = literalParts(bytes, end);
    const text = parts.kind === 'typed' ? jsonTextOf(bytes, start, end) : undefined;
    if (text !== undefined) {
      this.output.put(json);
      this.output.put(text);
      this.output.put(objectEnd);
      return;
    }
    if (parts.kind === 'plain' && this.#compact) {
      this.output.copy(bytes, start, end);
      return;
    }
    const isAmbiguous =
      parts.kind === 'typed' && this.#compact?.isAmbiguous(bytes, parts.start - 1, parts.end + 1);
    this.output.put(isAmbiguous ? plainValue : value);
    this.output.copy(bytes, start + 1, parts.close);
    if (parts.kind !== 'plain') this.output.put(parts.kind === 'tagged' ? language : datatype);
    if (parts.kind === 'typed' && !isAmbiguous) this.#id(bytes, parts.start - 1, parts.end + 1);
    else this.output.copy(bytes, parts.start, parts.end);
    if (parts.direction < parts.directionEnd) {
      this.output.put(direction);
      this.output.copy(bytes, parts.direction, parts.directionEnd);
    }
    this.output.put(idEnd);
  }
}
