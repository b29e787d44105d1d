import { toErrorData } from '../../errors.ts';
import { contentListsOf, filesOf, manifestName } from './manifest.ts';
import { chainsOf } from './points.ts';
import { Repository } from './repository.ts';
import { rangesText, timeText } from './restoring/restore.ts';

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
  const found = new Map<string, string | undefined>();
  for (const manifest of manifests) {
    const damages = new Set<string>();
    const look = async (digest: string, bytes?: number) => {
      if (!found.has(digest)) found.set(digest, await damageOf(repository, digest, bytes));
      if (found.get(digest) !== undefined) damages.add(digest);
    };
    for (const { digest, bytes } of filesOf(manifest)) await look(digest, bytes);
    for (const list of contentListsOf(manifest)) {
      if (found.get(list.digest) !== undefined) continue;
      for (const digest of await repository.files.readList(list)) await look(digest);
    }
    for (const digest of damages) lines.push(`damaged: ${manifestName(manifest)} needs ${digest}`);
  }
  const damaged = lines.length > 0;
  const summary = `backups: ${manifests.length}; stored files: ${found.size}`;
  return { lines: [summary, ...lines, damaged ? 'damage was found' : 'all is well'], damaged };
}

async function damageOf(
  { files }: Repository,
  digest: string,
  bytes: number | undefined,
): Promise<string | undefined> {
  try {
    await files.verify({ digest, bytes: bytes ?? (await files.sizeOf(digest)) ?? 0 });
    return undefined;
  } catch (error) {
    const { code, message } = toErrorData(error);
    if (code !== 'data-damaged') throw error;
    return message;
  }
}
