import { LRUCache } from 'lru-cache';
import { readPrefixes } from '../model/names/declared-prefixes.ts';
import { outputPrefixes } from '../model/namespaces.ts';
import { ascii } from './chunk-writer.ts';

export interface Namespace {
  /** Number in the table, from 0. */
  readonly index: number;
  readonly prefix: string;
  readonly iri: string;
  /** The IRI with its opening bracket. */
  readonly opening: Uint8Array;
  /** `prefix:` */
  readonly label: Uint8Array;
  /** `@prefix …` with its line end. */
  readonly declaration: Uint8Array;
}

/**
 * The prefixes with which a document is written, in layers: those of its graph, those of the
 * server, and the common ones. Each layer has those of the next one whose name and namespace are
 * still free.
 */
export class PrefixTable {
  /** The number of namespaces in all layers; their indexes are less. */
  readonly size: number;
  /** Of a prefix in all layers, in bytes. */
  readonly longestName: number;
  readonly #ofIri = new Map<string, Namespace>();
  readonly #ofPrefix = new Map<string, Namespace>();
  /** Each list is in the order of `compareFromEnd`, since uploads choose how long the lists are. */
  readonly #byLength: (Namespace[] | undefined)[] = [];
  readonly #next: PrefixTable | undefined;
  /** Indexes of the namespaces in the next layers whose prefixes mean something else here. */
  readonly #hidden = new Set<number>();

  constructor(own: Iterable<readonly [prefix: string, iri: string]>, next?: PrefixTable) {
    this.#next = next;
    let longest = next?.longestName ?? 0;
    for (const [prefix, iri] of own) {
      if (this.#ofPrefix.has(prefix) || this.#ofIri.has(iri)) continue;
      const each = namespace((next?.size ?? 0) + this.#ofIri.size, prefix, iri);
      this.#ofIri.set(iri, each);
      this.#ofPrefix.set(prefix, each);
      const hidden = next?.byPrefix(prefix);
      if (hidden) this.#hidden.add(hidden.index);
      longest = Math.max(longest, each.label.length - 1);
      const { length } = each.opening;
      this.#byLength[length] ??= [];
      this.#byLength[length].push(each);
    }
    for (const list of this.#byLength) list?.sort((a, b) => compareFromEnd(a.opening, 0, b.opening));
    this.size = (next?.size ?? 0) + this.#ofIri.size;
    this.longestName = longest;
  }

  byPrefix(prefix: string): Namespace | undefined {
    return this.#ofPrefix.get(prefix) ?? this.#next?.byPrefix(prefix);
  }

  byIri(iri: string): Namespace | undefined {
    return this.#ofIri.get(iri) ?? this.#visible(this.#next?.byIri(iri));
  }

  /** Returns the namespace that equals the bracketed IRI up to `local`. */
  namespaceOf(bytes: Uint8Array, start: number, local: number): Namespace | undefined {
    return (
      this.#ownNamespaceOf(bytes, start, local) ?? this.#visible(this.#next?.namespaceOf(bytes, start, local))
    );
  }

  #visible(found: Namespace | undefined): Namespace | undefined {
    return found !== undefined && this.#hidden.has(found.index) ? undefined : found;
  }

  #ownNamespaceOf(bytes: Uint8Array, start: number, local: number): Namespace | undefined {
    const list = this.#byLength[local - start];
    if (list === undefined) return undefined;
    let low = 0;
    for (let high = list.length; low < high; ) {
      const middle = (low + high) >>> 1;
      const each = list[middle]!;
      const order = compareFromEnd(bytes, start, each.opening);
      if (order === 0) return each;
      if (order < 0) high = middle;
      else low = middle + 1;
    }
    return undefined;
  }
}

function namespace(index: number, prefix: string, iri: string): Namespace {
  return {
    index,
    prefix,
    iri,
    opening: ascii(`<${iri}`),
    label: ascii(`${prefix}:`),
    declaration: ascii(`@prefix ${prefix}: <${iri}> .\n`),
  };
}

/** The prefixes with which documents are written that have no others. */
export const commonTable = new PrefixTable(Object.entries(outputPrefixes));

/**
 * The tables that were used last, for each table of the next layer: making one takes as long as
 * writing a small document. The sizes are those of the texts.
 */
const tables = new WeakMap<PrefixTable, LRUCache<string, PrefixTable>>();

/**
 * Returns the table for the prefixes of a graph, given as the text of `DeclaredPrefixes`. `next`:
 * the other prefixes.
 */
export function prefixTable(text: string, next: PrefixTable): PrefixTable {
  if (text === '') return next;
  const known = tables.get(next) ?? newTables();
  tables.set(next, known);
  let table = known.get(text);
  if (table === undefined) {
    table = new PrefixTable(readPrefixes(text), next);
    known.set(text, table);
  }
  return table;
}

function newTables(): LRUCache<string, PrefixTable> {
  return new LRUCache({ max: 64, maxSize: 256 * 1024, sizeCalculation: (_table, { length }) => length });
}

const SLASH = 0x2f;
const HASH = 0x23;
const DASH = 0x2d;
const COLON = 0x3a;

/**
 * ASCII letters, digits, `_` and `-`: characters of a plain local name, which must not begin with
 * `-`.
 */
const localCharacters = Uint8Array.from({ length: 256 }, (_, byte) =>
  /[A-Za-z0-9_-]/.test(String.fromCharCode(byte)) && byte < 0x80 ? 1 : 0,
);

/**
 * Returns where the local name of a bracketed IRI begins: after the last `/`, `#` or `:`; -1 if
 * it has no plain one.
 */
export function localNameStart(bytes: Uint8Array, start: number, end: number): number {
  let at = end - 2;
  while (at > start && localCharacters[bytes[at]!] === 1) at--;
  const separated = bytes[at] === SLASH || bytes[at] === HASH || bytes[at] === COLON;
  return separated && at + 1 < end - 1 && bytes[at + 1] !== DASH ? at + 1 : -1;
}

/**
 * Compares the bytes from `start` with as many others, the last ones first: most namespaces differ
 * near the end.
 */
function compareFromEnd(bytes: Uint8Array, start: number, others: Uint8Array): number {
  for (let at = others.length - 1; at >= 0; at--) {
    const difference = bytes[start + at]! - others[at]!;
    if (difference !== 0) return difference;
  }
  return 0;
}
