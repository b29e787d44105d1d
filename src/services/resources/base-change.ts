import { AppError, type ErrorData, fromErrorData } from '../../errors.ts';
import { openSnapshot, type SnapshotReader } from '../../snapshot/read/reader.ts';
import type { StoreClient } from '../../store/main/client.ts';
import type { BaseOperation } from '../../store/registry/base-operation.ts';
import { basesOfRoots, dependsOn, recordedBase } from '../../store/registry/base-registry.ts';

/** What to do at start-up if the data directory depends on another base. */
export type BaseChange = 'refuse' | 'accept' | 'migrate';

type Graphs = Pick<StoreClient['graphs'], 'entries'>;

/** The bases that a data directory was used with, as far as it shows. */
interface Finding {
  /** Another base on which data depend; undefined if there is none. */
  readonly former: string | undefined;
  /** Bases on which only a root container depends. */
  readonly unused: readonly string[];
}

/**
 * Compares the base with the recorded one and records it. A migration is complete when the promise
 * resolves. Otherwise `recorded` resolves when the base has been written, which waits until the
 * store accepts writes. Error `bad-arguments` if the base has changed and `change` is `refuse`; any
 * error of a commit if a migration fails.
 */
export async function settleBase(
  store: Pick<StoreClient, 'snapshot' | 'commit'> & { readonly graphs: Graphs },
  base: string,
  change: BaseChange,
): Promise<{ readonly recorded: Promise<ErrorData | undefined> }> {
  const reader = openSnapshot(store.snapshot);
  if (recordedBase(reader) === base) return { recorded: Promise.resolve(undefined) };
  const { former, unused } = look(reader, store.graphs, base);
  if (former !== undefined && change === 'refuse') throw baseError(former, base);
  const renames = change === 'migrate' ? (former ?? null) : null;
  const forgets = unused.filter((other) => other !== base || renames !== null);
  const recorded = commit(store, { kind: 'base', base, renames, forgets });
  if (renames === null) return { recorded };
  const error = await recorded;
  if (error) throw failed(error, renames, base);
  return { recorded };
}

/**
 * Compares the base with the recorded one, for a process that does not write. Error `bad-arguments`
 * if data depend on another base.
 */
export function requireBase(
  store: Pick<StoreClient, 'snapshot'> & { readonly graphs: Graphs },
  base: string,
): void {
  const reader = openSnapshot(store.snapshot);
  if (recordedBase(reader) === base) return;
  const { former } = look(reader, store.graphs, base);
  if (former !== undefined) throw baseError(former, base);
}

function look(reader: SnapshotReader, graphs: Graphs, base: string): Finding {
  const recorded = recordedBase(reader);
  const depends = (other: string) => dependsOn(reader, names(graphs), other);
  const rooted = basesOfRoots(reader);
  const candidates = recorded === undefined ? rooted : [recorded];
  const used = candidates.filter(depends);
  // An older version may have used the directory with several bases.
  const isKnown = recorded === undefined && used.includes(base);
  const former = isKnown ? undefined : used[0];
  return { former, unused: rooted.filter((other) => !depends(other)) };
}

function* names(graphs: Graphs): Iterable<string> {
  for (const [name] of graphs.entries()) yield name;
}

async function commit(
  store: Pick<StoreClient, 'commit'>,
  operation: BaseOperation,
): Promise<ErrorData | undefined> {
  const committed = await store.commit({ preconditions: [], operations: [operation] });
  return committed.ok ? undefined : committed.error;
}

function baseError(former: string, base: string): AppError {
  const message =
    `The data directory belongs to the base ${former}, but this start uses ${base}. Start with --base ${former}, ` +
    'or choose what to do: --base-change migrate renames everything to the new base; ' +
    '--base-change accept keeps the old names as they are.';
  return new AppError('bad-arguments', message);
}

function failed(error: ErrorData, former: string, base: string): AppError {
  const reason = error.code === 'too-large' ? 'it is too large for one transaction.' : error.message;
  const message = `The migration from ${former} to ${base} failed: ${reason} Nothing was changed.`;
  return fromErrorData({ ...error, message });
}
