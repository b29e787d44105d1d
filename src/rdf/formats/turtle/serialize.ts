import type { QuadCursor } from '../../model/quad-cursor.ts';
import { RDF, XSD } from '../../model/term.ts';
import type { TermId } from '../../model/term-id.ts';
import { ascii, ChunkWriter, type SpareMemory } from '../chunk-writer.ts';
import { localNameStart, type Namespace, namespaceOf, namespaces } from '../common-prefixes.ts';
import { GraphNames, type GraphNaming } from '../graph-naming.ts';

/** Writes Turtle (which is also N3) or TriG, grouped by graph, subject and predicate. */
export function* serializeTurtle(
  cursor: QuadCursor,
  naming: GraphNaming,
  spare?: SpareMemory,
): Generator<Uint8Array> {
  const writer = new TurtleWriter(cursor, naming, spare);
  while (cursor.next()) {
    writer.quad();
    if (writer.output.full) yield writer.take();
  }
  writer.finish();
  if (writer.output.length > 0) yield writer.output.take();
}

const LESS = 0x3c;
const GREATER = 0x3e;
const QUOTE = 0x22;
const NONE = -1;

const endOfStatement = ascii(' .\n');
const nextPredicate = ascii(' ;\n    ');
const nextObject = ascii(', ');
const space = ascii(' ');
const openNamedGraph = ascii(' {\n');
const openGraph = ascii('{\n');
const closeGraph = ascii('}\n');
const typeVerb = ascii('a');
const rdfType = ascii(`<${RDF}type>`);

/** Datatypes whose literals need no quotes, and the texts for which that is allowed. */
const bareDatatypes: readonly { readonly suffix: Uint8Array; readonly text: RegExp }[] = [
  { suffix: ascii(`"^^<${XSD}integer>`), text: /^[+-]?[0-9]+$/ },
  { suffix: ascii(`"^^<${XSD}decimal>`), text: /^[+-]?[0-9]*\.[0-9]+$/ },
  { suffix: ascii(`"^^<${XSD}boolean>`), text: /^(?:true|false)$/ },
];
const LONGEST_BARE = 40;

/**
 * A prefix is declared before the first statement that uses it. This is discovered while the
 * statement is being written, and the declaration is inserted before it. So once the beginning of a
 * statement has been passed on, the rest of it uses only prefixes that are already declared.
 */
class TurtleWriter {
  readonly output: ChunkWriter;
  readonly #cursor: QuadCursor;
  readonly #naming: GraphNaming;
  readonly #names: GraphNames;
  readonly #declared: boolean[] = namespaces.map(() => false);
  #graph = NONE;
  #inGraph = false;
  #subject = NONE;
  #predicate = NONE;
  /**
   * Where declarations can be inserted before the current statement; `NONE` if its beginning has
   * been passed on.
   */
  #declarationsAt = NONE;

  constructor(cursor: QuadCursor, naming: GraphNaming, spare: SpareMemory | undefined) {
    this.output = new ChunkWriter(spare);
    this.#cursor = cursor;
    this.#naming = naming;
    this.#names = new GraphNames(cursor, naming);
  }

  quad(): void {
    const { subject, predicate, object } = this.#cursor;
    if (this.#names.key !== this.#graph) this.#startGraph();
    if (subject !== this.#subject) this.#startSubject();
    else if (predicate === this.#predicate) this.output.put(nextObject);
    else this.output.put(nextPredicate);
    if (predicate !== this.#predicate) this.#verb();
    this.#term(object);
  }

  take(): Uint8Array {
    this.#declarationsAt = NONE;
    return this.output.take();
  }

  finish(): void {
    this.#endStatement();
    this.#endGraph();
  }

  #startGraph(): void {
    this.finish();
    this.#graph = this.#names.key;
    this.#declarationsAt = this.output.length;
    if (!this.#naming.graphs) return;
    this.#inGraph = true;
    const name = this.#names.current;
    this.output.put(name);
    this.output.put(name.length > 0 ? openNamedGraph : openGraph);
  }

  #endGraph(): void {
    if (this.#inGraph) this.output.put(closeGraph);
    this.#inGraph = false;
  }

  #startSubject(): void {
    this.#endStatement();
    // Inside the braces of a graph nothing can be declared.
    if (!this.#inGraph) this.#declarationsAt = this.output.length;
    this.#subject = this.#cursor.subject;
    this.#term(this.#subject);
    this.output.put(space);
  }

  #endStatement(): void {
    if (this.#subject !== NONE) this.output.put(endOfStatement);
    this.#subject = NONE;
    this.#predicate = NONE;
  }

  #verb(): void {
    const { terms, predicate } = this.#cursor;
    const start = terms.start(predicate);
    const end = terms.end(predicate);
    this.#predicate = predicate;
    if (endsWith(terms.bytes, start, end, rdfType)) this.output.put(typeVerb);
    else this.#iri(start, end);
    this.output.put(space);
  }

  #term(id: TermId): void {
    const { terms } = this.#cursor;
    const start = terms.start(id);
    const end = terms.end(id);
    const first = terms.bytes[start];
    const last = terms.bytes[end - 1];
    if (first === LESS && terms.bytes[start + 1] !== LESS) this.#iri(start, end);
    else if (first === QUOTE && last === GREATER) this.#typedLiteral(start, end);
    else this.output.copy(terms.bytes, start, end);
  }

  #iri(start: number, end: number): void {
    const { bytes } = this.#cursor.terms;
    const local = localNameStart(bytes, start, end);
    const namespace = local < 0 ? undefined : namespaceOf(bytes, start, local);
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
    this.#declared[namespace.index] = true;
    return true;
  }

  #typedLiteral(start: number, end: number): void {
    const { bytes } = this.#cursor.terms;
    if (isBare(bytes, start, end)) {
      this.output.copy(bytes, start + 1, bytes.lastIndexOf(QUOTE, end - 1));
      return;
    }
    const datatype = bytes.lastIndexOf(LESS, end - 1);
    this.output.copy(bytes, start, datatype);
    this.#iri(datatype, end);
  }
}

/** Whether Turtle reads the literal without quotes and datatype. */
function isBare(bytes: Uint8Array, start: number, end: number): boolean {
  return bareDatatypes.some(({ suffix, text }) => {
    const length = end - start - suffix.length - 1;
    return (
      length > 0 &&
      length <= LONGEST_BARE &&
      endsWith(bytes, start, end, suffix) &&
      text.test(String.fromCharCode(...bytes.subarray(start + 1, start + 1 + length)))
    );
  });
}

function endsWith(bytes: Uint8Array, start: number, end: number, wanted: Uint8Array): boolean {
  if (end - start < wanted.length) return false;
  for (let at = end - 1, other = wanted.length - 1; other >= 0; at--, other--) {
    if (bytes[at] !== wanted[other]) return false;
  }
  return true;
}
