import { assessJournal, keptFiles } from '../../journal/assessment.ts';
import type { Disk } from '../../journal/disk/disk.ts';
import { replayFiles } from '../../journal/replay-files.ts';
import { findCheckpoint } from '../checkpoint/checkpoint.ts';
import { journalContext } from '../recovery/journal-context.ts';
import { type PatchReference, referenceIn } from './patch.ts';

/** Returns the patch files that a start would read. Changes nothing. */
export async function patchReferences(disk: Disk): Promise<PatchReference[]> {
  const checkpoint = await findCheckpoint(disk);
  const assessment = await assessJournal(disk, await journalContext(disk, checkpoint));
  const references: PatchReference[] = [];
  await replayFiles(disk, keptFiles(assessment), (checkpoint?.sequence ?? 0) + 1, (_, payload) => {
    const reference = referenceIn(payload);
    if (reference) references.push(reference);
  });
  return references;
}
