import type { NodeDisk } from '../../../journal/disk/node-disk.ts';
import { patchTime } from '../../../store/patch/patch.ts';
import type { Manifest } from '../manifest.ts';
import type { StoredFiles } from '../stored-files.ts';
import { recordsOf } from './repository-source.ts';

interface Place {
  readonly files: StoredFiles;
  /** That of the repository. */
  readonly disk: NodeDisk;
}

/** A commit of a history: after a crash, a number may have been used in two of them. */
export interface FoundCommit {
  readonly commit: number;
  /** See `Manifest`; undefined for the newest history that has the number. */
  readonly chain?: string;
}

/**
 * Returns the newest commit at a time, in milliseconds since 1970; undefined if the backups do not
 * tell. If the clock of the server went back, it is the last commit that was not later.
 *
 * @param manifests oldest first
 */
export async function commitAt(
  manifests: readonly Manifest[],
  time: number,
  place: Place,
): Promise<FoundCommit | undefined> {
  const index = manifests.findIndex((manifest) => manifest.time >= time);
  const manifest = manifests[index];
  if (!manifest) return undefined;
  const { chain } = manifest;
  let found: number | undefined;
  for (const segment of manifest.segments) {
    for await (const { sequence, bytes } of recordsOf(place.disk, place.files, segment)) {
      if ((patchTime(bytes) ?? 0) <= time) found = sequence;
    }
  }
  if (found !== undefined) return { commit: found, chain };
  const before = manifests[index - 1];
  const follows = before?.chain === chain && before.commit + 1 >= firstOf(manifest);
  if (follows) return { commit: before.commit, chain };
  const isMoment = time === manifest.time && manifest.segments.length === 0;
  return isMoment ? { commit: manifest.commit, chain } : undefined;
}

/** The first commit of which the backup has a record, or the one after its newest. */
function firstOf({ segments, commit }: Manifest): number {
  return segments[0]?.first ?? commit + 1;
}
