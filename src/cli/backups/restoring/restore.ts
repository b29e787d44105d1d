/**
 * `pathpool restore`: a data directory with the data of one commit, from a backup repository, or
 * from a copy that `backup` has made. The directory has no `identity.json`, so it gets a new
 * identity at its first start: positions and entity tags of commits that it lacks must not become
 * valid for others.
 */
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { AppError, toErrorData } from '../../../errors.ts';
import { makeDurableDirectory } from '../../../journal/disk/durable-directory.ts';
import { NodeDisk } from '../../../journal/disk/node-disk.ts';
import type { StoredContent } from '../../../store/registry/resource-registry.ts';
import { syncAll } from '../../backup.ts';
import { BackupPlace } from '../../backup-place.ts';
import { openIdleDirectory } from '../../data-directory.ts';
import type { WorkDisplay } from '../../work-display.ts';
import type { RestorePoint } from '../options.ts';
import { type Chain, type CommitRange, chainsOf, type RestorePath, rangesText, timeText } from '../points.ts';
import { isRepository, Repository } from '../repository.ts';
import { buildDirectory, type RestoreSource } from './build-directory.ts';
import { commitAt, type FoundCommit } from './commit-times.ts';
import { CopiedDirectory } from './copy-source.ts';
import { RepositorySource } from './repository-source.ts';

export interface RestoreTask {
  /** A backup repository, or a copy of a data directory. */
  readonly from: string;
  /** A directory that is new or empty. */
  readonly target: string;
  /** Undefined for the newest commit. */
  readonly point: RestorePoint | undefined;
}

export interface Restored {
  readonly commit: number;
  /** Content that the backups lack, or have damaged. */
  readonly missing: readonly StoredContent[];
}

interface Watcher {
  readonly notice: (message: string) => void;
  readonly display: WorkDisplay;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/**
 * Restores the data. The directory gets its name when everything in it has been verified and is on
 * disk. Errors: `not-found`, `bad-arguments`, `data-damaged`, `data-locked`.
 */
export async function restore({ from, target, point }: RestoreTask, watcher: Watcher): Promise<Restored> {
  if (point?.kind === 'time' && point.time > watcher.now()) {
    throw new AppError('bad-arguments', `${timeText(point.time)} is in the future.`);
  }
  const source = (await isRepository(from))
    ? await fromRepository(await Repository.open(from), point, watcher)
    : await fromCopy(from, point, watcher);
  const place = await BackupPlace.choose(resolve(target), watcher.notice);
  try {
    watcher.display.show(`restoring commit ${source.commit}`);
    await makeDurableDirectory(place.draft.path, (await stat(from)).mode & 0o777);
    const missing = await buildDirectory(place.draft.path, source);
    watcher.display.show('waiting for the disk');
    await syncAll(place.draft.path);
    await place.complete();
    return { commit: source.commit, missing };
  } finally {
    place.draft.remove();
  }
}

async function fromRepository(
  repository: Repository,
  point: RestorePoint | undefined,
  { notice }: Watcher,
): Promise<RestoreSource> {
  const { manifests, unreadable } = await repository.backups();
  for (const { name, reason } of unreadable) notice(`${name} can't be read: ${reason}`);
  const newest = manifests.at(-1);
  if (!newest) throw new AppError('not-found', `${repository.root} has no backup yet.`);
  if (point?.kind === 'commit') requireIdentity(point.identity, repository.identity);
  if (point?.kind === 'time' && point.time > newest.time) {
    const message = `The newest backup is of ${timeText(newest.time)}; ${timeText(point.time)} is later.`;
    throw new AppError('bad-arguments', message);
  }
  const disk = new NodeDisk(repository.root);
  const place = { files: repository.files, disk };
  const chains = chainsOf(manifests);
  const found =
    point?.kind === 'time'
      ? await commitAt(manifests, point.time, place)
      : { commit: point?.commit ?? newest.commit };
  const path = found && (await soundPath(pathsTo(found, chains), repository, notice));
  if (path) return new RepositorySource(found.commit, path, place);
  throw notAvailable(
    point,
    chains.flatMap((chain) => chain.ranges()),
  );
}

/** Yields the ways to a commit in the newest history that has it. */
function* pathsTo({ commit, chain }: FoundCommit, chains: readonly Chain[]): Generator<RestorePath> {
  for (const each of chains.toReversed()) {
    if (chain !== undefined && chain !== each.name) continue;
    let isIn = false;
    for (const path of each.pathsTo(commit)) {
      isIn = true;
      yield path;
    }
    if (isIn) return;
  }
}

/**
 * Returns the first way whose checkpoint is not damaged; undefined without any way. Throws
 * `data-damaged`.
 */
async function soundPath(
  paths: Iterable<RestorePath>,
  { files }: Repository,
  notice: (message: string) => void,
): Promise<RestorePath | undefined> {
  let first: unknown;
  for (const path of paths) {
    try {
      for (const file of path.base.files) await files.verify(file);
      return path;
    } catch (error) {
      if (toErrorData(error).code !== 'data-damaged') throw error;
      first ??= error;
      notice(`The checkpoint of commit ${path.base.commit} is damaged. Looking for an earlier one.`);
    }
  }
  if (first !== undefined) throw first;
  return undefined;
}

async function fromCopy(
  from: string,
  point: RestorePoint | undefined,
  { notice }: Watcher,
): Promise<RestoreSource> {
  const copy = await CopiedDirectory.open(await openIdleDirectory(from, notice));
  const { range } = copy;
  if (point?.kind === 'commit' && point.identity !== undefined) {
    const message = `${from} is a copy, which does not tell of which data set. Give the number of the commit alone.`;
    throw new AppError('bad-arguments', message);
  }
  const commit = point?.kind === 'time' ? await copy.commitAt(point.time) : (point?.commit ?? range.last);
  if (commit !== undefined && commit >= range.first && commit <= range.last) return copy.sourceAt(commit);
  throw notAvailable(point, [range]);
}

function requireIdentity(given: string | undefined, identity: string): void {
  if (given === undefined || given === identity) return;
  const message = `The backups are of the data set ${identity}, not of ${given}.`;
  throw new AppError('bad-arguments', message);
}

function notAvailable(point: RestorePoint | undefined, ranges: readonly CommitRange[]): AppError {
  const what =
    point?.kind === 'time'
      ? `The state at ${timeText(point.time)} is not known`
      : `Commit ${point?.commit} can't be restored`;
  return new AppError('not-found', `${what}. These commits can be restored: ${rangesText(ranges)}.`);
}
