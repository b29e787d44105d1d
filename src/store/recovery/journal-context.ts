import type { JournalContext } from '../../journal/assessment.ts';
import type { Disk } from '../../journal/disk/disk.ts';
import type { Checkpoint } from '../checkpoint/checkpoint.ts';
import { provesJournal } from '../registry/identity.ts';

/** Returns the facts about the journal that are stored elsewhere in the data directory. */
export async function journalContext(
  disk: Disk,
  checkpoint: Checkpoint | undefined,
): Promise<JournalContext> {
  return { checkpoint: checkpoint?.sequence ?? 0, opened: await provesJournal(disk) };
}
