import type { JournalContext } from '../journal/assessment.ts';
import type { Disk } from '../journal/disk.ts';
import type { Checkpoint } from './checkpoint.ts';
import { provesJournal } from './identity.ts';

/** What a data directory says of the journal in it. */
export async function journalContext(
  disk: Disk,
  checkpoint: Checkpoint | undefined,
): Promise<JournalContext> {
  return { checkpoint: checkpoint?.sequence ?? 0, opened: await provesJournal(disk) };
}
