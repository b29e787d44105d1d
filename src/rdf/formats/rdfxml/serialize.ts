import { literalParts } from '../../model/literal-bytes.ts';
import type { TermBytes } from '../../model/path-graph.ts';
import type { QuadCursor } from '../../model/quad-cursor.ts';
import { RDF } from '../../model/term.ts';
import type { TermId } from '../../model/term-id.ts';
import { isTripleTerm, isTripleTermAt, partsOfTriple } from '../../model/triple-term.ts';
import { ascii, ChunkWriter, type SpareMemory } from '../chunk-writer.ts';
import { GraphNames } from '../graph-naming.ts';
import type { PrefixTable } from '../prefix-table.ts';
import type { GroupWriter } from '../structure/group-writer.ts';
import { serializeGroups } from '../structure/serialize-groups.ts';
import { ITS } from './attributes.ts';
import { splitPredicate } from './element-names.ts';
import { checkXmlText, putXmlText } from './escape.ts';

/**
 * Writes RDF/XML. Throws `not-acceptable` for predicates that cannot be the name of an element and
 * for characters that XML cannot represent.
 */
export function serializeRdfXml(
  cursor: QuadCursor,
  prefixes: PrefixTable,
  spare?: SpareMemory,
): Generator<Uint8Array> {
  return serializeGroups(
    cursor,
    new GraphNames(cursor.terms, { graphs: false }),
    new RdfXmlWriter(cursor, prefixes, spare),
  );
}

/**
 * Throws the errors that `serializeRdfXml` would throw, for documents whose beginning is sent
 * before the end is written. `meanwhile` is called regularly, and may throw to end the check.
 */
export function checkRdfXml(cursor: QuadCursor, meanwhile: () => void): void {
  const { terms } = cursor;
  const named = new Set<TermId>();
  let subject: TermId | undefined;
  for (let count = 1; cursor.next(); count++) {
    if (cursor.subject !== subject) {
      subject = cursor.subject;
      checkXmlText(terms.bytes, terms.start(subject), terms.end(subject));
    }
    if (!named.has(cursor.predicate)) {
      splitPredicate(iriOf(terms, cursor.predicate));
      named.add(cursor.predicate);
    }
    checkObject(terms, cursor.object);
    if (count % QUADS_BETWEEN === 0) meanwhile();
  }
}

function checkObject(terms: TermBytes, object: TermId): void {
  const start = terms.start(object);
  checkXmlText(terms.bytes, start, terms.end(object));
  if (!isTripleTermAt(terms.bytes, start)) return;
  let text = textOf(terms, object);
  while (isTripleTerm(text)) {
    const [, predicate, inner] = partsOfTriple(text);
    splitPredicate(predicate.slice(1, -1));
    text = inner;
  }
}

/** About 10 ms. */
const QUADS_BETWEEN = 1 << 16;

const LESS = 0x3c;
const QUOTE = 0x22;
const UNDERSCORE = 0x5f;
const NINE = 0x39;

const heading = ascii(`<?xml version="1.0" encoding="UTF-8"?>\n<rdf:RDF xmlns:rdf="${RDF}"`);
const headingEnd = ascii('>\n');
const footing = ascii('</rdf:RDF>\n');
const description = ascii('<rdf:Description');
const descriptionEnd = ascii('</rdf:Description>\n');
const about = ascii(' rdf:about="');
const resource = ascii(' rdf:resource="');
const nodeId = ascii(' rdf:nodeID="');
const language = ascii(' xml:lang="');
const datatype = ascii(' rdf:datatype="');
const direction = ascii(` rdf:version="1.2" xmlns:its="${ITS}" its:version="2.0" its:dir="`);
const tripleType = ascii(' rdf:version="1.2" rdf:parseType="Triple">\n');
const quote = ascii('"');
const underscore = ascii('_');
const tagEnd = ascii('>');
const tagEndLine = ascii('>\n');
const emptyTagEnd = ascii('/>\n');

/** A term in canonical form. */
interface PlacedTerm {
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
}

/** The name of an element, as written in its tags. */
interface ElementName {
  readonly open: Uint8Array;
  readonly close: Uint8Array;
}

/** The most element names and declarations that are kept. */
const MAX_NAMES = 10_000;
const MAX_DECLARED = 1000;

const NONE = -1;

/**
 * Namespaces are declared in the root element while it can still be changed, which is until it is
 * passed on; later ones are declared in each element that uses them.
 */
class RdfXmlWriter implements GroupWriter {
  readonly output: ChunkWriter;
  readonly #cursor: QuadCursor;
  readonly #known: PrefixTable;
  /** Declared prefixes by namespace. */
  readonly #prefixes = new Map([[RDF, 'rdf']]);
  readonly #names = new Map<TermId, ElementName>();
  #declarationsAt = heading.length;
  #name: ElementName | undefined;

  constructor(cursor: QuadCursor, prefixes: PrefixTable, spare: SpareMemory | undefined) {
    this.output = new ChunkWriter(spare);
    this.#cursor = cursor;
    this.#known = prefixes;
  }

  begin(): void {
    this.output.put(heading);
    this.output.put(headingEnd);
  }

  end(): void {
    this.output.put(footing);
  }

  flushed(): void {
    this.#declarationsAt = NONE;
  }

  openGraph(): void {}

  closeGraph(): void {}

  openSubject(subject: TermId): void {
    const { terms } = this.#cursor;
    this.output.put(description);
    this.#reference({ bytes: terms.bytes, start: terms.start(subject), end: terms.end(subject) }, about);
    this.output.put(tagEndLine);
  }

  closeSubject(): void {
    this.output.put(descriptionEnd);
  }

  openPredicate(predicate: TermId): void {
    this.#name = this.#names.get(predicate) ?? this.#makeName(predicate);
  }

  closePredicate(): void {}

  object(object: TermId): void {
    const { terms } = this.#cursor;
    const start = terms.start(object);
    this.output.put(this.#name!.open);
    if (isTripleTermAt(terms.bytes, start)) this.#tripleTerm(textOf(terms, object), this.#name!.close);
    else this.#object({ bytes: terms.bytes, start, end: terms.end(object) }, this.#name!.close);
  }

  /** Writes the rest of an element whose object is an IRI, a blank node or a literal. */
  #object(term: PlacedTerm, close: Uint8Array): void {
    if (term.bytes[term.start] === QUOTE) {
      this.#literal(term, close);
    } else {
      this.#reference(term, resource);
      this.output.put(emptyTagEnd);
    }
  }

  /** Only the object can be a triple term, so the elements form a chain. */
  #tripleTerm(text: string, close: Uint8Array): void {
    const closes = [close];
    let object = text;
    while (isTripleTerm(object)) {
      const [subject, predicate, inner] = partsOfTriple(object);
      const { namespace, local } = splitPredicate(predicate.slice(1, -1));
      this.output.put(tripleType);
      this.output.put(description);
      this.#reference(placed(subject), about);
      this.output.put(tagEndLine);
      this.output.put(ascii(`<ns:${local} ${declaration('ns', namespace)}`));
      closes.push(ascii(`</ns:${local}>\n</rdf:Description>\n`));
      object = inner;
    }
    this.#object(placed(object), ascii(''));
    // The element of an IRI or a blank node is empty, and already closed.
    const [outer, ...others] = closes.reverse();
    this.output.put(object.startsWith('"') ? outer! : descriptionEnd);
    for (const each of others) this.output.put(each);
  }

  /** Writes an attribute that refers to an IRI or a blank node. */
  #reference({ bytes, start, end }: PlacedTerm, attribute: Uint8Array): void {
    if (bytes[start] === LESS) {
      this.output.put(attribute);
      putXmlText(this.output, bytes, start + 1, end - 1);
    } else {
      this.output.put(nodeId);
      // An XML name must not begin with a digit, so such labels get an underscore. Labels that
      // begin with an underscore get another one, so that all labels stay distinct.
      const first = bytes[start + 2]!;
      if (first <= NINE || first === UNDERSCORE) this.output.put(underscore);
      this.output.copy(bytes, start + 2, end);
    }
    this.output.put(quote);
  }

  #literal({ bytes, start, end }: PlacedTerm, close: Uint8Array): void {
    const parts = literalParts(bytes, end);
    if (parts.kind !== 'plain') {
      this.output.put(parts.kind === 'tagged' ? language : datatype);
      putXmlText(this.output, bytes, parts.start, parts.end);
      this.output.put(quote);
    }
    if (parts.direction < parts.directionEnd) {
      this.output.put(direction);
      this.output.copy(bytes, parts.direction, parts.directionEnd);
      this.output.put(quote);
    }
    this.output.put(tagEnd);
    putXmlText(this.output, bytes, start + 1, parts.close);
    this.output.put(close);
  }

  #makeName(predicate: TermId): ElementName {
    const { namespace, local } = splitPredicate(iriOf(this.#cursor.terms, predicate));
    const declared = this.#prefixes.get(namespace) ?? this.#declare(namespace);
    const name = `${declared ?? 'ns'}:${local}`;
    const inline = declared === undefined ? ` ${declaration('ns', namespace)}` : '';
    const element = { open: ascii(`<${name}${inline}`), close: ascii(`</${name}>\n`) };
    if (this.#names.size >= MAX_NAMES) this.#names.clear();
    this.#names.set(predicate, element);
    return element;
  }

  /**
   * Declares a namespace in the root element and returns its prefix; undefined if it is too late
   * for that.
   */
  #declare(namespace: string): string | undefined {
    if (this.#declarationsAt === NONE || this.#prefixes.size >= MAX_DECLARED) return undefined;
    const known = this.#known.byIri(namespace)?.prefix;
    const prefix = known && !isReserved(known) ? known : `ns${this.#prefixes.size}`;
    const text = ascii(`\n  ${declaration(prefix, namespace)}`);
    this.output.insert(this.#declarationsAt, text);
    this.#declarationsAt += text.length;
    this.#prefixes.set(namespace, prefix);
    return prefix;
  }
}

function placed(text: string): PlacedTerm {
  const bytes = Buffer.from(text);
  return { bytes, start: 0, end: bytes.length };
}

function iriOf(terms: TermBytes, id: TermId): string {
  return textOf(terms, id).slice(1, -1);
}

function textOf(terms: TermBytes, id: TermId): string {
  return new TextDecoder().decode(terms.bytes.slice(terms.start(id), terms.end(id)));
}

/**
 * Whether a prefix is not used as it is: XML reserves it, this document has another meaning for it,
 * or it is empty, which is the default namespace.
 */
function isReserved(prefix: string): boolean {
  return /^(?:|rdf|its|ns\d*|xml.*)$/i.test(prefix);
}

function declaration(prefix: string, namespace: string): string {
  return `xmlns:${prefix}="${namespace.replaceAll('&', '&amp;')}"`;
}
