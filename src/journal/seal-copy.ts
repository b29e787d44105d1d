import { assessJournal, type JournalContext } from './assessment.ts';
import { truncateFile } from './damaged-files.ts';
import type { Disk } from './disk/disk.ts';
import { JournalError } from './errors.ts';
import { requireSound } from './recovery.ts';
import { writeSeal } from './seal.ts';

/**
 * Seals the journal of a copy, so that later damage to it is recognised. Truncates a partial write
 * that was in progress during the copy. `context`: that of the original. Throws `data-damaged`.
 */
export async function sealCopy(disk: Disk, context: JournalContext): Promise<void> {
  const { sound, bad, finding } = await assessJournal(disk, context);
  requireSound(finding);
  if (bad) await truncateFile(disk, bad.name, bad.goodBytes);
  const newest = bad ?? sound.at(-1);
  if (!newest) throw new JournalError('data-damaged', 'There is no journal to copy.');
  const { firstSequence, marker, lastSequence, goodBytes: bytes } = newest;
  await writeSeal(disk, { firstSequence, marker, lastSequence, bytes });
}
