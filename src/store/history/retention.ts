import { toErrorData } from '../../errors.ts';
import { type Disk, withFile } from '../../journal/disk/disk.ts';
import { listJournalFiles } from '../../journal/file-list.ts';
import type { CoveredFile } from '../../journal/journal.ts';
import { listPatchFiles, patchNumber } from '../patch/file.ts';
import { referenceIn } from '../patch/patch.ts';
import { readRecords } from './read-records.ts';
import {
  contiguous,
  listRetained,
  type RetainedFiles,
  type RetainedLog,
  retainedLogName,
  retainedPatchName,
} from './retained-files.ts';
import type { RetentionLimits } from './retention-limits.ts';

interface KeptHistory extends RetentionLimits {
  /** Only later commits are kept: the journal does not have all rows of this one. */
  readonly after: number;
}

/**
 * Moves what a checkpoint covers to the history, and removes the oldest of it. All of that happens
 * after checkpoints and at a start, and never delays a commit. A crash between any two steps leaves
 * a history without gaps, or a journal file that the next start moves.
 */
export class Retention {
  readonly #disk: Disk;
  readonly #limits: KeptHistory;
  /** Milliseconds since 1970. */
  readonly #now: () => number;

  constructor(disk: Disk, limits: KeptHistory, now: () => number) {
    this.#disk = disk;
    this.#limits = limits;
    this.#now = now;
  }

  /** Takes over a journal file that a checkpoint covers. */
  async retire({ name, firstSequence, lastSequence }: CoveredFile): Promise<void> {
    const { bytes, after } = this.#limits;
    if (bytes === 0 || lastSequence < firstSequence || lastSequence <= after) return this.#disk.remove(name);
    await this.#disk.rename(name, retainedLogName(firstSequence, lastSequence, this.#now()));
    // The next file must not be moved durably before this one.
    await this.#disk.syncDirectory('');
  }

  /** Takes over the patch file that a record of a retired journal file names. */
  async retirePatch(name: string, sequence: number): Promise<void> {
    if (this.#limits.bytes === 0) return this.#disk.remove(name);
    await this.#disk.rename(name, retainedPatchName(name, sequence));
  }

  /**
   * Takes over the patch files that a crash left behind after their journal files had been retired.
   * For a start, which has read the journal.
   *
   * @param isNamed whether a record of the journal names a file
   */
  async adopt(isNamed: (name: string) => boolean): Promise<void> {
    const left = new Set((await listPatchFiles(this.#disk)).filter((name) => !isNamed(name)));
    if (left.size === 0 || this.#limits.bytes === 0) return;
    const earliest = Math.min(...[...left].map(patchNumber));
    for (const log of (await listRetained(this.#disk)).logs) {
      if (log.lastSequence > earliest) await this.#adoptNamedIn(log, left);
    }
  }

  /** Damage to the history must not prevent a start. */
  async #adoptNamedIn(log: RetainedLog, left: Set<string>): Promise<void> {
    try {
      for await (const { sequence, payload } of readRecords(this.#disk, log, { from: 0 })) {
        const reference = referenceIn(payload);
        if (reference && left.delete(reference.name)) await this.retirePatch(reference.name, sequence);
      }
    } catch (error) {
      if (toErrorData(error).code !== 'data-damaged') throw error;
    }
  }

  /** Removes what is beyond the limits, and what can't be read any more because of a gap. */
  async prune(): Promise<void> {
    const retained = await listRetained(this.#disk);
    if (retained.logs.length === 0 && retained.patches.length === 0) return;
    const kept = await this.#within(retained);
    const [oldest] = kept;
    const files = [
      ...retained.logs.filter((log) => !kept.includes(log)),
      ...retained.patches.filter(({ sequence }) => !oldest || sequence < oldest.firstSequence),
    ];
    for (const { name } of files) await this.#disk.remove(name);
    if (files.length > 0) await this.#disk.syncDirectory('');
  }

  /** Returns the newest logs that are within the limits. */
  async #within({ logs, patches }: RetainedFiles): Promise<RetainedLog[]> {
    const [journal] = await listJournalFiles(this.#disk);
    const connected = journal ? contiguous(logs, journal.firstSequence) : [];
    const kept: RetainedLog[] = [];
    let bytes = 0;
    for (const log of connected.toReversed()) {
      const named = patches.filter(({ sequence }) => isWithin(sequence, log));
      for (const { name } of [log, ...named]) bytes += await this.#size(name);
      if (bytes > this.#limits.bytes || this.#now() - log.moved > this.#limits.ageMs) break;
      kept.unshift(log);
    }
    return kept;
  }

  #size(name: string): Promise<number> {
    return withFile(this.#disk, name, 'read', (file) => file.size());
  }
}

function isWithin(sequence: number, { firstSequence, lastSequence }: RetainedLog): boolean {
  return sequence >= firstSequence && sequence <= lastSequence;
}
