import { type Piece, piece } from '../../../base/bytes/writer.ts';
import type { TermBytes } from '../../model/path-graph.ts';
import type { QuadCursor } from '../../model/quad-cursor.ts';
import { RDF, XSD } from '../../model/term.ts';
import type { TermId } from '../../model/term-id.ts';
import { ascii, ChunkWriter, type SpareMemory } from '../chunk-writer.ts';
import { GraphNames, type GraphNaming } from '../graph-naming.ts';
import { localNameStart, type Namespace, type PrefixTable } from '../prefix-table.ts';
import type { NestingWriter } from '../structure/group-writer.ts';
import { MAX_DEPTH } from '../structure/nested-nodes.ts';
import { endsWith, NIL, termEquals } from '../structure/same-bytes.ts';
import { serializeNested } from '../structure/serialize-groups.ts';

export interface TurtleStyle extends GraphNaming {
  readonly prefixes: PrefixTable;
}

/**
 * Writes Turtle (which is also N3) or TriG, grouped by graph, subject and predicate, with lists and
 * nested blank nodes (G-48).
 */
export function serializeTurtle(
  cursor: QuadCursor,
  style: TurtleStyle,
  spare?: SpareMemory,
): Generator<Uint8Array> {
  const { terms } = cursor;
  return serializeNested(cursor, new GraphNames(terms, style), new TurtleWriter(terms, style, spare));
}

const LESS = 0x3c;
const GREATER = 0x3e;
const QUOTE = 0x22;
const NONE = -1;

const SPACE = 0x20;
const OPEN_NODE = 0x5b;
const CLOSE_NODE = 0x5d;
const OPEN_LIST = 0x28;
const CLOSE_LIST = 0x29;

const endOfStatement = piece(' .\n');
const nextObject = piece(', ');
const openNamedGraph = ascii(' {\n');
const openGraph = ascii('{\n');
const closeGraph = ascii('}\n');
const emptyList = piece('()');
const typeVerb = piece('a ');
const rdfType = ascii(`<${RDF}type>`);

const indents = Array.from({ length: MAX_DEPTH + 2 }, (_, depth) => '    '.repeat(depth));
/** The beginning of a line, by the number of nodes around it. */
const newLines = indents.map((indent) => piece(`\n${indent}`));
/** The same for a predicate that is not the first one. */
const nextPredicates = indents.map((indent) => piece(` ;\n${indent}`));

/** Datatypes whose literals need no quotes, and the texts for which that is allowed. */
const bareDatatypes: readonly { readonly suffix: Uint8Array; readonly text: RegExp }[] = [
  { suffix: ascii(`"^^<${XSD}integer>`), text: /^[+-]?[0-9]+$/ },
  { suffix: ascii(`"^^<${XSD}decimal>`), text: /^[+-]?[0-9]*\.[0-9]+$/ },
  { suffix: ascii(`"^^<${XSD}boolean>`), text: /^(?:true|false)$/ },
];
const LONGEST_BARE = 40;

/** What is open: a statement or a node on one line, a node on several lines, or a list. */
type Opened = 'statement' | 'node' | 'list';

/**
 * A prefix is declared before the first statement that uses it. This is discovered while the
 * statement is being written, and the declaration is inserted before it. So once the beginning of a
 * statement has been passed on, the rest of it uses only prefixes that are already declared.
 */
class TurtleWriter implements NestingWriter {
  readonly nests = 'nodes';
  readonly output: ChunkWriter;
  readonly #terms: TermBytes;
  readonly #style: TurtleStyle;
  readonly #prefixes: PrefixTable;
  readonly #declared: Uint8Array;
  #inGraph = false;
  readonly #verbs = new VerbCache();
  /** What is open last, and what is open around it. */
  #opened: Opened = 'statement';
  readonly #around: Opened[] = [];
  /** Number of nodes that are open on several lines. */
  #depth = 0;
  #firstPredicate = true;
  #firstObject = true;
  /**
   * Where declarations can be inserted before the current statement; `NONE` if its beginning has
   * been passed on.
   */
  #declarationsAt = NONE;

  constructor(terms: TermBytes, style: TurtleStyle, spare: SpareMemory | undefined) {
    this.output = new ChunkWriter(spare);
    this.#terms = terms;
    this.#style = style;
    this.#prefixes = style.prefixes;
    this.#declared = new Uint8Array(style.prefixes.size);
  }

  begin(): void {}

  end(): void {}

  flushed(): void {
    this.#declarationsAt = NONE;
  }

  openGraph(name: Uint8Array): void {
    if (!this.#style.graphs) return;
    this.#declarationsAt = this.output.length;
    this.#inGraph = true;
    this.output.put(name);
    this.output.put(name.length > 0 ? openNamedGraph : openGraph);
  }

  closeGraph(): void {
    if (this.#inGraph) this.output.put(closeGraph);
    this.#inGraph = false;
  }

  openSubject(subject: TermId): void {
    // Inside the braces of a graph nothing can be declared.
    if (!this.#inGraph) this.#declarationsAt = this.output.length;
    this.#term(subject);
    this.#firstPredicate = true;
  }

  closeSubject(): void {
    this.output.append(endOfStatement);
  }

  openPredicate(predicate: TermId): void {
    if (!this.#firstPredicate) this.output.append(nextPredicates[this.#depth + 1]!);
    else if (this.#opened === 'node') this.output.append(newLines[this.#depth + 1]!);
    else this.output.byte(SPACE);
    this.#firstPredicate = false;
    this.#firstObject = true;
    const verb = this.#verbs.get(predicate);
    if (verb) this.output.append(verb);
    else this.#verb(predicate);
  }

  closePredicate(): void {}

  object(object: TermId): void {
    this.#separate();
    if (termEquals(this.#terms, object, NIL)) this.output.append(emptyList);
    else this.#term(object);
  }

  openNode(triples: number): void {
    this.#separate();
    this.output.byte(OPEN_NODE);
    this.#open(triples === 1 ? 'statement' : 'node');
    if (triples > 1) this.#depth++;
    this.#firstPredicate = true;
  }

  closeNode(): void {
    if (this.#opened === 'node') this.output.append(newLines[this.#depth--]!);
    else this.output.byte(SPACE);
    this.output.byte(CLOSE_NODE);
    this.#close();
    this.#firstPredicate = false;
  }

  openList(): void {
    this.#separate();
    this.output.byte(OPEN_LIST);
    this.#open('list');
  }

  closeList(): void {
    this.output.byte(SPACE);
    this.output.byte(CLOSE_LIST);
    this.#close();
  }

  #open(opened: Opened): void {
    this.#around.push(this.#opened);
    this.#opened = opened;
  }

  #close(): void {
    this.#opened = this.#around.pop()!;
    this.#firstObject = false;
  }

  #separate(): void {
    if (this.#opened === 'list') this.output.byte(SPACE);
    else if (!this.#firstObject) this.output.append(nextObject);
    this.#firstObject = false;
  }

  #verb(predicate: TermId): void {
    const { bytes, ends } = this.#terms;
    const start = ends[predicate - 1]!;
    const end = ends[predicate]!;
    if (termEquals(this.#terms, predicate, rdfType)) {
      this.output.append(typeVerb);
      this.#verbs.set(predicate, typeVerb);
      return;
    }
    this.#iri(start, end);
    this.output.byte(SPACE);
    const local = localNameStart(bytes, start, end);
    const namespace = local < 0 ? undefined : this.#prefixes.namespaceOf(bytes, start, local);
    if (namespace === undefined || !this.#declared[namespace.index]) return;
    const name = Buffer.from(bytes.slice(local, end - 1)).toString();
    this.#verbs.set(predicate, piece(`${namespace.prefix}:${name} `));
  }

  #term(id: TermId): void {
    const { bytes, ends } = this.#terms;
    const start = ends[id - 1]!;
    const end = ends[id]!;
    const first = bytes[start];
    if (first === LESS && bytes[start + 1] !== LESS) this.#iri(start, end);
    else if (first === QUOTE && bytes[end - 1] === GREATER) this.#typedLiteral(start, end);
    else this.output.copy(bytes, start, end);
  }

  #iri(start: number, end: number): void {
    const { bytes } = this.#terms;
    const local = localNameStart(bytes, start, end);
    const namespace = local < 0 ? undefined : this.#prefixes.namespaceOf(bytes, start, local);
    if (namespace === undefined || !this.#declare(namespace)) {
      this.output.copy(bytes, start, end);
    } else {
      this.output.put(namespace.label);
      this.output.copy(bytes, local, end - 1);
    }
  }

  /** Returns false if the prefix is not declared and no longer can be. */
  #declare(namespace: Namespace): boolean {
    if (this.#declared[namespace.index]) return true;
    if (this.#declarationsAt === NONE) return false;
    this.output.insert(this.#declarationsAt, namespace.declaration);
    this.#declarationsAt += namespace.declaration.length;
    this.#declared[namespace.index] = 1;
    return true;
  }

  #typedLiteral(start: number, end: number): void {
    const { bytes } = this.#terms;
    if (isBare(bytes, start, end)) {
      this.output.copy(bytes, start + 1, bytes.lastIndexOf(QUOTE, end - 1));
      return;
    }
    const datatype = bytes.lastIndexOf(LESS, end - 1);
    this.output.copy(bytes, start, datatype);
    this.#iri(datatype, end);
  }
}

const VERBS = 256;

/** Abbreviated predicates with the space after them. A new one may replace an earlier one. */
class VerbCache {
  readonly #ids = new Uint32Array(VERBS);
  readonly #verbs: Piece[] = [];

  get(predicate: TermId): Piece | undefined {
    const slot = predicate % VERBS;
    return this.#ids[slot] === predicate ? this.#verbs[slot] : undefined;
  }

  set(predicate: TermId, verb: Piece): void {
    const slot = predicate % VERBS;
    this.#ids[slot] = predicate;
    this.#verbs[slot] = verb;
  }
}

/** Whether Turtle reads the literal without quotes and datatype. */
function isBare(bytes: Uint8Array, start: number, end: number): boolean {
  return bareDatatypes.some(({ suffix, text }) => {
    const length = end - start - suffix.length - 1;
    return (
      length > 0 &&
      length <= LONGEST_BARE &&
      endsWith(bytes, end, suffix) &&
      text.test(String.fromCharCode(...bytes.subarray(start + 1, start + 1 + length)))
    );
  });
}
