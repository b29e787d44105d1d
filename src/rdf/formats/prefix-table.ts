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
 * The prefixes with which a document is written: those of its graph, then the common ones whose
 * name and namespace are still free.
 */
export class PrefixTable {
  readonly namespaces: readonly Namespace[];
  /** Prefixes by namespace. */
  readonly names: ReadonlyMap<string, string>;
  /** Each list is in the order of `compareFromEnd`, since uploads choose how long the lists are. */
  readonly #byLength: (Namespace[] | undefined)[] = [];

  constructor(own: Iterable<readonly [prefix: string, iri: string]>) {
    const names = new Map<string, string>();
    const taken = new Set<string>();
    for (const [prefix, iri] of [...own, ...Object.entries(outputPrefixes)]) {
      if (taken.has(prefix) || names.has(iri)) continue;
      taken.add(prefix);
      names.set(iri, prefix);
    }
    this.names = names;
    this.namespaces = Array.from(names, ([iri, prefix], index) => namespace(index, prefix, iri));
    for (const each of this.namespaces) {
      const { length } = each.opening;
      this.#byLength[length] ??= [];
      this.#byLength[length].push(each);
    }
    for (const list of this.#byLength) list?.sort((a, b) => compareFromEnd(a.opening, 0, b.opening));
  }

  /** Returns the namespace that equals the bracketed IRI up to `local`. */
  namespaceOf(bytes: Uint8Array, start: number, local: number): Namespace | undefined {
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

const common = new PrefixTable([]);
/**
 * The tables that were used last: making one takes as long as writing a small document. The sizes
 * are those of the texts.
 */
const tables = new LRUCache<string, PrefixTable>({
  max: 64,
  maxSize: 256 * 1024,
  sizeCalculation: (_table, text) => text.length,
});

/** Returns the table for the prefixes of a graph, given as the text of `DeclaredPrefixes`. */
export function prefixTable(text = ''): PrefixTable {
  if (text === '') return common;
  const known = tables.get(text);
  if (known !== undefined) return known;
  const table = new PrefixTable(readPrefixes(text));
  tables.set(text, table);
  return table;
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
