import { AppError, type ErrorData, fromErrorData } from '../errors.ts';
import { openSnapshot, type SnapshotReader } from '../snapshot/reader.ts';
import { basesOfRoots, dependsOn, recordedBase } from '../store/base-books.ts';
import type { BaseOperation } from '../store/base-operation.ts';
import type { StoreClient } from '../store/client.ts';

/** What a start does with data that have been served under another base. */
export type BaseChange = 'refuse' | 'accept' | 'migrate';

type Graphs = Pick<StoreClient['graphs'], 'entries'>;

/** What is to be recorded, for a start with a base that is not recorded yet. */
interface Finding {
  /** The base on which something depends; undefined where nothing depends on another one. */
  readonly former: string | undefined;
  /** Bases of root containers on which nothing depends. */
  readonly unused: readonly string[];
}

/**
 * Sees to it that the data are served under the base that they are named by. Resolves at once when that is
 * so; the promise within it resolves when the base is recorded, which waits for the record. Errors:
 * `bad-arguments` where the base has changed and `change` does not say what to do, or it can't be done.
 */
export async function settleBase(
  store: Pick<StoreClient, 'snapshot' | 'commit'> & { readonly graphs: Graphs },
  base: string,
  change: BaseChange,
): Promise<{ readonly recorded: Promise<ErrorData | undefined> }> {
  const reader = openSnapshot(store.snapshot);
  if (recordedBase(reader) === base) return { recorded: Promise.resolve(undefined) };
  const { former, unused } = look(reader, store.graphs, base);
  if (former !== undefined && change === 'refuse') throw refusal(former, base);
  const renames = change === 'migrate' ? (former ?? null) : null;
  const forgets = unused.filter((other) => other !== base || renames !== null);
  const recorded = commit(store, { kind: 'base', base, renames, forgets });
  if (renames === null) return { recorded };
  const error = await recorded;
  if (error) throw failed(error, renames, base);
  return { recorded };
}

function look(reader: SnapshotReader, graphs: Graphs, base: string): Finding {
  const recorded = recordedBase(reader);
  const depends = (other: string) => dependsOn(reader, names(graphs), other);
  const rooted = basesOfRoots(reader);
  const candidates = recorded === undefined ? rooted : [recorded];
  const used = candidates.filter(depends);
  // A directory of an older version may have been served under several bases.
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

function refusal(former: string, base: string): AppError {
  const message =
    `The data belong to the base ${former}, and this start has ${base}: what is named by the old one could not be ` +
    `found any more. Start with --base ${former}, or say what to do: --base-change migrate gives it names of the ` +
    'new base, --base-change accept leaves it the old names.';
  return new AppError('bad-arguments', message);
}

function failed(error: ErrorData, former: string, base: string): AppError {
  const reason = error.code === 'too-large' ? 'it is too much for one transaction.' : error.message;
  const message = `What is named by ${former} could not get names of ${base}: ${reason} Nothing was changed.`;
  return fromErrorData({ ...error, message });
}
