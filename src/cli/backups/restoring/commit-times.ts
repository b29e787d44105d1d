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
 * Returns the last commit that was not later than a time, in milliseconds since 1970, by the clock
 * of the server; undefined if the backups do not tell. The times of the backups themselves, which
 * another clock may have given, only decide where no record does.
 *
 * @param manifests oldest first; the time is not after the newest
 */
export async function commitAt(
  manifests: readonly Manifest[],
  time: number,
  place: Place,
): Promise<FoundCommit | undefined> {
  const records = new RecordTimes(place);
  for (let i = manifests.length - 1; i >= 0; i--) {
    const manifest = manifests[i]!;
    const { chain, commit } = manifest;
    const found = await records.lastAt(manifest, time);
    if (found !== undefined) return { commit: found, chain };
    if (manifest.segments.length === 0 && time >= manifest.time) return { commit, chain };
    const before = manifests[i - 1];
    const follows = before?.chain === chain && before.commit + 1 >= firstOf(manifest);
    // What was lost between the two may have been there at that time.
    if (!follows && before && time > before.time) return undefined;
  }
  return undefined;
}

/** Reads the times of records, each file of them once: most backups share some with the next. */
class RecordTimes {
  readonly #place: Place;
  /** Segments without a record at that time or before. */
  readonly #later = new Set<string>();

  constructor(place: Place) {
    this.#place = place;
  }

  /** Returns the last record of a backup that was not later. */
  async lastAt({ segments }: Manifest, time: number): Promise<number | undefined> {
    for (const segment of segments.toReversed()) {
      if (this.#later.has(segment.file.digest)) continue;
      const found = await this.#lastIn(segment, time);
      if (found !== undefined) return found;
      this.#later.add(segment.file.digest);
    }
    return undefined;
  }

  async #lastIn(segment: Manifest['segments'][number], time: number): Promise<number | undefined> {
    let found: number | undefined;
    for await (const { sequence, bytes } of recordsOf(this.#place.disk, this.#place.files, segment)) {
      if ((patchTime(bytes) ?? 0) <= time) found = sequence;
    }
    return found;
  }
}

/** The first commit of which the backup has a record, or the one after its newest. */
function firstOf({ segments, commit }: Manifest): number {
  return segments[0]?.first ?? commit + 1;
}
