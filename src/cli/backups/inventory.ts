import { toErrorData } from '../../errors.ts';
import { contentListsOf, filesOf, type Manifest, manifestName } from './manifest.ts';
import { chainsOf, rangesText, timeText } from './points.ts';
import { Repository } from './repository.ts';
import type { StoredFiles } from './stored-files.ts';

/** Returns lines that say what can be restored. Errors: `not-found`, `data-damaged`. */
export async function listBackups(directory: string): Promise<string[]> {
  const repository = await Repository.open(directory);
  const { manifests, unreadable } = await repository.backups();
  const lines = [`backups of data set ${repository.identity}: ${manifests.length}`];
  for (const { time, commit, gap } of manifests) {
    const lost = gap ? `; lost: commits ${gap.first} to ${gap.last}` : '';
    lines.push(`${timeText(time)}  up to commit ${commit}${lost}`);
  }
  for (const { name, reason } of unreadable) lines.push(`${name} can't be read: ${reason}`);
  const ranges = chainsOf(manifests).flatMap((chain) => chain.ranges());
  return [...lines, `commits that can be restored: ${rangesText(ranges)}`];
}

/**
 * Reads every file that a backup needs, and compares it with its digest. Errors: `not-found`,
 * `data-damaged` if the mark of the repository is damaged.
 */
export async function checkRepository(
  directory: string,
): Promise<{ readonly lines: readonly string[]; readonly damaged: boolean }> {
  const repository = await Repository.open(directory);
  const { manifests, unreadable } = await repository.backups();
  const lines = unreadable.map(({ name, reason }) => `damaged: ${name}: ${reason}`);
  /** Whether each stored file is as it should be. */
  const found = new Map<string, boolean>();
  const damages = new Map<string, Set<string>>();
  for (const manifest of manifests) {
    damages.set(manifestName(manifest), await damagesOf(manifest, repository.files, found));
  }
  // Others may have been removed meanwhile, and their files.
  for (const manifest of (await repository.backups()).manifests) {
    const name = manifestName(manifest);
    for (const digest of damages.get(name) ?? []) lines.push(`damaged: ${name} needs ${digest}`);
  }
  const damaged = lines.length > 0;
  const summary = `backups: ${manifests.length}; stored files: ${found.size}`;
  return { lines: [summary, ...lines, damaged ? 'damage was found' : 'all is well'], damaged };
}

async function damagesOf(
  manifest: Manifest,
  files: StoredFiles,
  found: Map<string, boolean>,
): Promise<Set<string>> {
  const damages = new Set<string>();
  const look = async (digest: string, bytes?: number) => {
    const isSound = found.get(digest) ?? (await isSoundFile(files, digest, bytes));
    found.set(digest, isSound);
    if (!isSound) damages.add(digest);
  };
  for (const { digest, bytes } of filesOf(manifest)) await look(digest, bytes);
  for (const list of contentListsOf(manifest)) {
    const digests = await unlessDamaged(files.readList(list));
    if (!digests) damages.add(list.digest);
    for (const digest of digests ?? []) await look(digest);
  }
  return damages;
}

async function isSoundFile(files: StoredFiles, digest: string, bytes?: number): Promise<boolean> {
  const size = bytes ?? (await files.sizeOf(digest)) ?? 0;
  return (await unlessDamaged(files.verify({ digest, bytes: size }).then(() => true))) ?? false;
}

/** Resolves with undefined if what is read is damaged. */
async function unlessDamaged<T>(reading: Promise<T>): Promise<T | undefined> {
  return reading.catch((error: unknown) => {
    if (toErrorData(error).code !== 'data-damaged') throw error;
    return undefined;
  });
}
