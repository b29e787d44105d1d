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
  readonly #names: ReadonlySet<string>;
  /** In bytes. */
  readonly #longestName: number;
  readonly #declared: boolean[];
  /**
   * The empty prefix is not a term in JSON-LD, and a reader of a context expands namespaces as it
   * does other IRIs, so one that begins like a compact IRI would be another one.
   */
  readonly #isUsable: readonly boolean[];
  /** Where declarations can be inserted; `NONE` if that has been passed on. */
  #declarationsAt = NONE;
  #hasDeclared = false;
  #isPlain = false;
  #isPlainGraph = false;
  #beginsPlain = false;

  constructor(output: ChunkWriter, prefixes: PrefixTable) {
    this.#output = output;
    this.#prefixes = prefixes;
    this.#names = new Set(prefixes.names.values());
    this.#longestName = Math.max(...prefixes.namespaces.map(({ label }) => label.length - 1));
    this.#declared = prefixes.namespaces.map(() => false);
    this.#isUsable = prefixes.namespaces.map(
      ({ prefix, opening }) => prefix !== '' && !this.isAmbiguous(opening, 0, opening.length),
    );
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
    const limit = Math.min(end, from + this.#longestName + 1);
    let colon = from;
    while (colon < limit && bytes[colon] !== COLON) colon++;
    if (colon === limit || (bytes[colon + 1] === SLASH && bytes[colon + 2] === SLASH)) return false;
    return this.#names.has(Buffer.from(bytes.subarray(from, colon)).toString());
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
  #declare({ index, prefix, iri }: Namespace): boolean {
    if (this.#declared[index]) return true;
    if (this.#declarationsAt === NONE || !this.#isUsable[index]) return false;
    const declaration = Buffer.from(`${this.#hasDeclared ? ',' : ''}"${prefix}":"${iri}"`);
    this.#output.insert(this.#declarationsAt, declaration);
    this.#declarationsAt += declaration.length;
    this.#declared[index] = true;
    this.#hasDeclared = true;
    return true;
  }
}
