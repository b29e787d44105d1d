import { assessJournal, type JournalContext } from './assessment.ts';
import type { Disk } from './disk.ts';
import { truncateFile } from './quarantine.ts';
import { writeSeal } from './seal.ts';

/**
 * Seals the journal of a copy that was found sound, so that later damage to it is recognised. What
 * the copy has of a write that was going on meanwhile is cut off.
 */
export async function sealCopy(disk: Disk, context: JournalContext): Promise<void> {
  const { sound, bad } = await assessJournal(disk, context);
  if (bad) await truncateFile(disk, bad.name, bad.goodBytes);
  const newest = bad ?? sound.at(-1);
  if (!newest) return;
  const { firstSequence, marker, lastSequence, goodBytes: bytes } = newest;
  await writeSeal(disk, { firstSequence, marker, lastSequence, bytes });
}
