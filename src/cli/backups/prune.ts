import { toErrorData } from '../../errors.ts';
import type { FileDigest } from '../../pool/file-digest.ts';
import { type KeepRule, keptTimes } from './keep.ts';
import { contentListsOf, filesOf, type Manifest } from './manifest.ts';
import type { Repository } from './repository.ts';
import type { RepositoryLock } from './repository-lock.ts';

interface PruneRule {
  /** Undefined to keep all backups. */
  readonly keep: KeepRule | undefined;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Whether files that no backup needs are removed even if no backup is. */
  readonly sweeps: boolean;
}

interface PruneSurroundings {
  readonly notice: (message: string) => void;
  readonly lock: RepositoryLock;
}

/**
 * Removes the backups that are not kept, first their manifests and then the files that no other
 * backup needs. A crash in between leaves such files to a later call. While a manifest can't be
 * read no file is removed, since nobody knows which ones it needs. Returns how many backups were
 * removed.
 */
export async function prune(
  repository: Repository,
  { keep, now, sweeps }: PruneRule,
  { notice, lock }: PruneSurroundings,
): Promise<number> {
  const { manifests, unreadable } = await repository.backups();
  const times = manifests.map(({ time }) => time);
  const kept = keep ? keptTimes(times, now, keep) : new Set(times);
  const old = manifests.filter(({ time }) => !kept.has(time));
  for (const { name, reason } of unreadable) {
    notice(`${name} can't be read: ${reason} It stays, and so do the files of all removed backups.`);
  }
  if (old.length > 0) await repository.remove(old, lock.requireHeld);
  if (unreadable.length > 0 || (old.length === 0 && !sweeps)) return old.length;
  try {
    const needed = await neededBy(
      repository,
      manifests.filter(({ time }) => kept.has(time)),
    );
    await repository.files.removeAllBut(needed, lock.requireHeld);
  } catch (error) {
    if (toErrorData(error).code !== 'data-damaged') throw error;
    notice(`${toErrorData(error).message} Files of removed backups stay.`);
  }
  return old.length;
}

/** Returns the digests of the files that backups need. Throws `data-damaged`. */
async function neededBy({ files }: Repository, manifests: readonly Manifest[]): Promise<Set<string>> {
  const needed = new Set<string>();
  const lists = new Map<string, FileDigest>();
  for (const manifest of manifests) {
    for (const { digest } of filesOf(manifest)) needed.add(digest);
    for (const list of contentListsOf(manifest)) lists.set(list.digest, list);
  }
  for (const list of lists.values()) for (const digest of await files.readList(list)) needed.add(digest);
  return needed;
}
