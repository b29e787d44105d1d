import type { Disk } from '../../journal/disk/disk.ts';
import { readRecords } from '../history/read-records.ts';
import { listRetained, type RetainedLog, retainedPatchName } from '../history/retained-files.ts';
import { patchLines } from '../patch/file.ts';
import { referenceIn } from '../patch/patch.ts';

/**
 * Reads the retained history, and returns what is wrong with it. That is not damage to the data,
 * which do not depend on it.
 */
export async function historyNotes(disk: Disk): Promise<string[]> {
  const { logs } = await listRetained(disk);
  const notes: string[] = [];
  for (const log of logs) {
    const fault = await faultOf(disk, log);
    if (fault !== undefined)
      notes.push(`${log.name}: changes in it can't be read: ${fault} You may delete it.`);
  }
  return notes;
}

async function faultOf(disk: Disk, log: RetainedLog): Promise<string | undefined> {
  let expected = log.firstSequence;
  try {
    for await (const { sequence, payload } of readRecords(disk, log, { from: 0 })) {
      if (sequence !== expected++) return `record ${expected - 1} is missing.`;
      const reference = referenceIn(payload);
      if (!reference) continue;
      const name = retainedPatchName(reference.name, sequence);
      // Its digest is compared at the end.
      for await (const _ of patchLines(disk, { ...reference, name }));
    }
  } catch (error) {
    return (error as Error).message;
  }
  return expected > log.lastSequence ? undefined : `record ${expected} is missing.`;
}
