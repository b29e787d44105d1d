import type { ChunkWriter } from '../chunk-writer.ts';
import { localNameStart, type Namespace, type PrefixTable } from '../prefix-table.ts';

const NONE = -1;
const LESS = 0x3c;
const COLON = 0x3a;
const SLASH = 0x2f;

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
  readonly #prefixes: PrefixTable;
  /** By index of the namespace: 1 if it is declared. */
  readonly #declared: Uint8Array;
  /** Where declarations can be inserted; `NONE` if that has been passed on. */
  #declarationsAt = NONE;
  #hasDeclared = false;
  #isPlain = false;
  #isPlainGraph = false;
  #beginsPlain = false;

  constructor(output: ChunkWriter, prefixes: PrefixTable) {
    this.#output = output;
    this.#prefixes = prefixes;
    this.#declared = new Uint8Array(prefixes.size);
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
    const limit = Math.min(end, from + this.#prefixes.longestName + 1);
    let colon = from;
    while (colon < limit && bytes[colon] !== COLON) colon++;
    if (colon === limit || (bytes[colon + 1] === SLASH && bytes[colon + 2] === SLASH)) return false;
    return this.#prefixes.byPrefix(Buffer.from(bytes.subarray(from, colon)).toString()) !== undefined;
  }

  /** Writes a bracketed IRI. */
  write(bytes: Uint8Array, start: number, end: number): void {
    const local = this.#isPlain ? NONE : localNameStart(bytes, start, end);
    const namespace = local === NONE ? undefined : this.#prefixes.namespaceOf(bytes, start, local);
    if (namespace === undefined || !this.#declare(namespace)) {
      this.#output.copy(bytes, start + 1, end - 1);
    } else {
      this.#output.put(namespace.label);
      this.#output.copy(bytes, local, end - 1);
    }
  }

  /** Returns false if the prefix is not declared and no longer can be. */
  #declare(namespace: Namespace): boolean {
    const { index, prefix, iri } = namespace;
    if (this.#declared[index]) return true;
    if (this.#declarationsAt === NONE || !this.#isUsable(namespace)) return false;
    const declaration = Buffer.from(`${this.#hasDeclared ? ',' : ''}"${prefix}":"${iri}"`);
    this.#output.insert(this.#declarationsAt, declaration);
    this.#declarationsAt += declaration.length;
    this.#declared[index] = 1;
    this.#hasDeclared = true;
    return true;
  }

  /**
   * The empty prefix is not a term in JSON-LD, and a reader of a context expands namespaces as it
   * does other IRIs, so one that begins like a compact IRI would be another one.
   */
  #isUsable({ prefix, opening }: Namespace): boolean {
    return prefix !== '' && !this.isAmbiguous(opening, 0, opening.length);
  }
}
