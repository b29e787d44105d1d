import { createHash } from 'node:crypto';
import type { Precondition, Validators } from '../../base/precondition.ts';
import { type ErrorData, failure, type Result } from '../../errors.ts';
import { compactedJsonLd } from '../../rdf/media-types/json-ld-profile.ts';
import type { RdfFormat } from '../../rdf/media-types/media-types.ts';
import { isPrefixName, readPrefixes } from '../../rdf/model/names/declared-prefixes.ts';
import type { Prefixes } from '../../rdf/model/namespaces.ts';
import type { SnapshotReader } from '../../snapshot/read/reader.ts';
import { SnapshotCache } from '../../snapshot/read/snapshot-cache.ts';
import type { DocumentPrefixes } from '../../sparql/request.ts';
import type { StoreClient } from '../../store/main/client.ts';
import { firstOutcome } from '../../store/main/transaction.ts';
import type { PrefixOperation, PrefixPair } from '../../store/registry/prefix-operation.ts';
import {
  type PrefixRow,
  type PrefixTableState,
  prefixRow,
  prefixRows,
  prefixTableState,
} from '../../store/registry/prefix-registry.ts';

/** The most characters of a stored prefix, and of its namespace. */
export const MAX_PREFIX_LENGTH = 255;
export const MAX_NAMESPACE_LENGTH = 2_000;

/** The formats that abbreviate IRIs. */
const abbreviating: ReadonlySet<string> = new Set([
  'text/turtle',
  'text/n3',
  'application/trig',
  'application/rdf+xml',
  compactedJsonLd.mediaType,
]);

/** The prefixes that do not change while the server runs. */
export interface FixedPrefixes {
  readonly builtIn: Prefixes;
  readonly settings: Prefixes;
}

/** Where a prefix comes from. A stored one takes precedence, then one of the settings. */
export type PrefixSource = 'stored' | 'settings' | 'built-in';

export interface KnownPrefix {
  readonly prefix: string;
  readonly namespace: string;
  readonly source: PrefixSource;
}

/** A prefix that the store keeps. */
export interface StoredPrefix extends KnownPrefix {
  readonly source: 'stored';
  /** Number of the commit that last changed it. */
  readonly commit: number;
  /** Milliseconds since 1970. */
  readonly modified: number;
}

/** The result of storing a prefix. */
export interface PrefixOutcome {
  /** Whether it was not stored before. */
  readonly created: boolean;
  /** Number of the commit that stored it; an earlier one if nothing changed. */
  readonly commit: number;
}

/** Whether a text can be a stored prefix (http-api P-90). */
export function isStorablePrefix(text: string): boolean {
  return text !== '' && text.length <= MAX_PREFIX_LENGTH && isPrefixName(text);
}

type PrefixStore = Pick<StoreClient, 'snapshot' | 'commit' | 'state' | 'identityName' | 'writeError'>;

/** The prefixes that the server knows (http-api 4.15), as the newest snapshot has them. */
export class PrefixService {
  readonly #store: PrefixStore;
  readonly #fixed: FixedPrefixes;
  /** Identifies the prefixes of the settings with which documents are written. */
  readonly #ofSettings: string;
  readonly #snapshots = new SnapshotCache();
  #rows: { readonly sequence: number; readonly rows: ReadonlyMap<string, PrefixRow> } | undefined;
  #documents: DocumentPrefixes | undefined;
  #table: { readonly sequence: number; readonly table: Prefixes } | undefined;

  constructor(store: PrefixStore, fixed: FixedPrefixes) {
    this.#store = store;
    this.#fixed = fixed;
    const { settings } = fixed;
    const digest = createHash('sha256').update(JSON.stringify(settings)).digest('hex').slice(0, 8);
    this.#ofSettings = Object.keys(settings).length === 0 ? '' : `.p${digest}`;
  }

  /** Why prefixes can't be written now; undefined if they can. */
  get writeError(): ErrorData | undefined {
    return this.#store.writeError;
  }

  /** All namespaces by prefix. */
  get table(): Prefixes {
    const { sequence } = this.#state;
    if (this.#table?.sequence !== sequence) {
      const stored = Array.from(this.#stored, ([prefix, { namespace }]) => [prefix, namespace] as const);
      const { builtIn, settings } = this.#fixed;
      this.#table = { sequence, table: { ...builtIn, ...settings, ...Object.fromEntries(stored) } };
    }
    return this.#table.table;
  }

  /** Returns all prefixes, or those from one source, sorted. */
  list(source?: PrefixSource): readonly KnownPrefix[] {
    const names = Object.keys(this.table).sort();
    const stored = this.#stored;
    const all = names.map((prefix) => this.#describe(prefix, stored.get(prefix))!);
    return source === undefined ? all : all.filter((each) => each.source === source);
  }

  get(prefix: string): KnownPrefix | StoredPrefix | undefined {
    return this.#describe(prefix, isStorablePrefix(prefix) ? prefixRow(this.#reader, prefix) : undefined);
  }

  /** Returns the first prefix of a namespace: a stored one if there is one. */
  prefixOf(namespace: string): string | undefined {
    const named = this.list().filter((each) => each.namespace === namespace);
    return (named.find(({ source }) => source === 'stored') ?? named[0])?.prefix;
  }

  /** Returns the validators of a version of a stored prefix. */
  validators({ commit, modified }: Pick<StoredPrefix, 'commit' | 'modified'>): Validators {
    return { state: this.#store.state(commit), modified };
  }

  /** The `<state>` of the whole table (http-api G-71). Dates are not known. */
  get tableState(): string {
    return this.#store.state(this.#state.sequence);
  }

  /** Returns a commit as clients name it: `<identity>.<commit>` (http-api G-150). */
  position(commit: number): string {
    return `${this.#store.identityName}.${commit}`;
  }

  /** Identifies the prefixes with which documents are written, beside those of their graphs. */
  get documentVariant(): string {
    const { sequence } = this.#state;
    return sequence === 0 ? this.#ofSettings : `${this.#ofSettings}.${sequence.toString(36)}`;
  }

  /** The prefixes for documents of a format; undefined if it has none, or there are none. */
  documentPrefixes(mediaType: string): DocumentPrefixes | undefined {
    const key = this.documentVariant;
    if (key === '' || !abbreviating.has(mediaType)) return undefined;
    if (this.#documents?.key !== key) {
      const stored = Array.from(this.#stored, ([prefix, { namespace }]) => [prefix, namespace] as const);
      this.#documents = { key, pairs: [...stored, ...Object.entries(this.#fixed.settings)] };
    }
    return this.#documents;
  }

  /** Returns the variant of the entity tag of a document (http-api G-71). */
  variantOf({ variant, mediaType }: Pick<RdfFormat, 'variant' | 'mediaType'>): string {
    return abbreviating.has(mediaType) ? variant + this.documentVariant : variant;
  }

  /**
   * Stores a prefix. The same one again changes nothing. `prefix`: see `isStorablePrefix`. Errors:
   * `precondition-failed`, `store-full`, `writes-disabled`.
   */
  async put(
    prefix: string,
    namespace: string,
    precondition: Precondition | undefined,
  ): Promise<Result<PrefixOutcome>> {
    const committed = await this.#commit({ kind: 'store-prefix', prefix, namespace }, precondition);
    if (!committed.ok) return committed;
    const { existed, contentSequence: commit } = committed.value;
    if (commit === undefined) return failure('internal', 'The store returned no commit of a prefix.');
    return { ok: true, value: { created: !existed, commit } };
  }

  /** Returns false if it was not stored. Errors `precondition-failed`, `writes-disabled`. */
  async remove(prefix: string, precondition: Precondition | undefined): Promise<Result<boolean>> {
    const committed = await this.#commit({ kind: 'remove-prefix', prefix }, precondition);
    return committed.ok ? { ok: true, value: committed.value.existed } : committed;
  }

  /**
   * Returns the prefixes of documents that the server does not know, if there are some. `texts`:
   * those of `DeclaredPrefixes`.
   */
  unknownIn(texts: readonly (string | undefined)[]): readonly PrefixPair[] {
    const { table } = this;
    const declared = texts.flatMap((text) => (text ? readPrefixes(text) : []));
    return declared.filter(([prefix]) => isStorablePrefix(prefix) && !Object.hasOwn(table, prefix));
  }

  async #commit(
    operation: Exclude<PrefixOperation, { readonly learned: unknown }>,
    precondition?: Precondition,
  ) {
    const preconditions = precondition ? [{ ...precondition, prefix: operation.prefix }] : [];
    return firstOutcome(await this.#store.commit({ preconditions, operations: [operation] }));
  }

  #describe(prefix: string, row: PrefixRow | undefined): KnownPrefix | StoredPrefix | undefined {
    if (row) {
      const { namespace, sequence: commit, modified } = row;
      return { prefix, namespace, source: 'stored', commit, modified };
    }
    const { builtIn, settings } = this.#fixed;
    if (Object.hasOwn(settings, prefix)) {
      return { prefix, namespace: settings[prefix]!, source: 'settings' };
    }
    return Object.hasOwn(builtIn, prefix)
      ? { prefix, namespace: builtIn[prefix]!, source: 'built-in' }
      : undefined;
  }

  get #stored(): ReadonlyMap<string, PrefixRow> {
    const { sequence } = this.#state;
    if (this.#rows?.sequence !== sequence) this.#rows = { sequence, rows: prefixRows(this.#reader) };
    return this.#rows.rows;
  }

  get #state(): PrefixTableState {
    return prefixTableState(this.#reader);
  }

  get #reader(): SnapshotReader {
    return this.#snapshots.open(this.#store.snapshot);
  }
}
