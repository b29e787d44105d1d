import type { ChunkWriter } from '../chunk-writer.ts';
import { localNameStart, type Namespace, namespaceOf, namespaces } from '../common-prefixes.ts';

const NONE = -1;
const LESS = 0x3c;
const COLON = 0x3a;
const SLASH = 0x2f;

const prefixes = new Set(namespaces.map(({ prefix }) => prefix));
const longestPrefix = Math.max(...Array.from(prefixes, (prefix) => prefix.length));

/**
 * Writes the context of a document in compacted form, and IRIs as that context allows. A prefix is
 * declared when it is first used, as long as the beginning of the document can still be changed;
 * after that other namespaces are written in full.
 *
 * An IRI such as `geo:37.8,-122.4` looks like a prefix and a local name. It is written where the
 * context does not apply, which is what "plain" means here.
 */
export class CompactIris {
  readonly #output: ChunkWriter;
  readonly #declared: boolean[] = namespaces.map(() => false);
  /** Where declarations can be inserted; `NONE` if that has been passed on. */
  #declarationsAt = NONE;
  #hasDeclared = false;
  #isPlain = false;
  #isPlainGraph = false;
  #beginsPlain = false;

  constructor(output: ChunkWriter) {
    this.#output = output;
  }

  begin(): void {
    this.#output.text('{"@context":{');
    this.#declarationsAt = this.#output.length;
    this.#output.text('},"@graph":');
  }

  /** Called when the beginning of the document has been passed on. */
  close(): void {
    this.#declarationsAt = NONE;
  }

  /** The next node is written without the context. */
  enterPlainNode(): void {
    this.#isPlain = true;
    this.#beginsPlain = true;
  }

  /** Returns once, at its beginning, whether a node is written without the context. */
  beginsPlainNode(): boolean {
    const begins = this.#beginsPlain;
    this.#beginsPlain = false;
    return begins;
  }

  leaveNode(): void {
    this.#isPlain = this.#isPlainGraph;
  }

  /** The nodes that follow are in a graph, whose own node is open. */
  enterGraph(): void {
    this.#isPlainGraph = this.#isPlain;
  }

  leaveGraph(): void {
    this.#isPlainGraph = false;
    this.#isPlain = false;
  }

  /** Whether the context would give the full IRI another meaning. */
  isAmbiguous(bytes: Uint8Array, start: number, end: number): boolean {
    if (this.#isPlain || bytes[start] !== LESS) return false;
    const from = start + 1;
    const limit = Math.min(end, from + longestPrefix + 1);
    let colon = from;
    while (colon < limit && bytes[colon] !== COLON) colon++;
    if (colon === limit || (bytes[colon + 1] === SLASH && bytes[colon + 2] === SLASH)) return false;
    return prefixes.has(Buffer.from(bytes.subarray(from, colon)).toString());
  }

  /** Writes a bracketed IRI. */
  write(bytes: Uint8Array, start: number, end: number): void {
    const local = this.#isPlain ? NONE : localNameStart(bytes, start, end);
    const namespace = local === NONE ? undefined : namespaceOf(bytes, start, local);
    if (namespace === undefined || !this.#declare(namespace)) {
      this.#output.copy(bytes, start + 1, end - 1);
    } else {
      this.#output.put(namespace.label);
      this.#output.copy(bytes, local, end - 1);
    }
  }

  /** Returns false if the prefix is not declared and no longer can be. */
  #declare({ index, prefix, iri }: Namespace): boolean {
    if (this.#declared[index]) return true;
    if (this.#declarationsAt === NONE) return false;
    const declaration = Buffer.from(`${this.#hasDeclared ? ',' : ''}"${prefix}":"${iri}"`);
    this.#output.insert(this.#declarationsAt, declaration);
    this.#declarationsAt += declaration.length;
    this.#declared[index] = true;
    this.#hasDeclared = true;
    return true;
  }
}
