import { commonTable, PrefixTable } from '../../rdf/formats/prefix-table.ts';
import type { Prefixes } from '../../rdf/model/namespaces.ts';
import type { SnapshotReader } from '../../snapshot/read/reader.ts';
import {
  type PrefixRow,
  type PrefixTableState,
  prefixRows,
  prefixTableState,
} from '../../store/registry/prefix-registry.ts';
import type { WorkerData } from '../threads/worker-data.ts';

/** The prefixes that do not change while the server runs. */
type FixedPrefixes = Pick<WorkerData, 'prefixes' | 'documentPrefixes'>;

/** The words of a program or path: what a prefix can be, and more. */
const words = /[^\s:;,|&^(){}<>"'[\]@=!?*+~#/\\]+/g;

/** The prefixes at one commit (http-api 4.15). A commit that changes none shares them. */
export class KnownPrefixes {
  /** For paths and programs. */
  readonly forPrograms: Prefixes;
  readonly #state: PrefixTableState;
  readonly #rows: ReadonlyMap<string, PrefixRow>;
  readonly #settings: Prefixes;
  #documents: PrefixTable | undefined;

  constructor(
    { prefixes, documentPrefixes }: FixedPrefixes,
    state: PrefixTableState,
    rows: ReadonlyMap<string, PrefixRow>,
  ) {
    this.forPrograms = { ...prefixes, ...Object.fromEntries(namespacesOf(rows)) };
    this.#settings = documentPrefixes;
    this.#state = state;
    this.#rows = rows;
  }

  /** For documents, besides the prefixes of their graphs. */
  get forDocuments(): PrefixTable {
    this.#documents ??= new PrefixTable(
      [...namespacesOf(this.#rows), ...Object.entries(this.#settings)],
      commonTable,
    );
    return this.#documents;
  }

  /**
   * Whether a text may mean something else than at an earlier commit. It need not, since a word of
   * it may be no prefix.
   */
  mayChangeMeaning(source: string, since: number): boolean {
    const { sequence, removed } = this.#state;
    if (sequence <= since) return false;
    // What was removed is not known any more, and escapes hide words.
    if (removed > since || source.includes('\\')) return true;
    return (source.match(words) ?? []).some((word) => (this.#rows.get(word)?.sequence ?? 0) > since);
  }
}

function namespacesOf(rows: ReadonlyMap<string, PrefixRow>): (readonly [string, string])[] {
  return Array.from(rows, ([prefix, { namespace }]) => [prefix, namespace] as const);
}

/** Returns the prefixes of a thread that has seen no snapshot. */
export function fixedPrefixes(fixed: FixedPrefixes): KnownPrefixes {
  return new KnownPrefixes(fixed, { sequence: 0, removed: 0, count: 0 }, new Map());
}

/**
 * The prefixes of the snapshots that a thread reads. Those of the last two different states are
 * kept: a batch may read an earlier snapshot while others read the newest.
 */
export class ThreadPrefixes {
  readonly #fixed: FixedPrefixes;
  readonly #without: KnownPrefixes;
  #kept: readonly { readonly sequence: number; readonly known: KnownPrefixes }[] = [];
  #last: { readonly reader: SnapshotReader; readonly known: KnownPrefixes } | undefined;

  constructor(fixed: FixedPrefixes) {
    this.#fixed = fixed;
    this.#without = fixedPrefixes(fixed);
  }

  of(reader: SnapshotReader): KnownPrefixes {
    if (this.#last?.reader !== reader) this.#last = { reader, known: this.#find(reader) };
    return this.#last.known;
  }

  #find(reader: SnapshotReader): KnownPrefixes {
    const state = prefixTableState(reader);
    const { sequence } = state;
    if (sequence === 0) return this.#without;
    const found = this.#kept.find((each) => each.sequence === sequence);
    if (found) return found.known;
    const known = new KnownPrefixes(this.#fixed, state, prefixRows(reader));
    this.#kept = [{ sequence, known }, ...this.#kept.slice(0, 1)];
    return known;
  }
}
