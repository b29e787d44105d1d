import { type Disk, withFile } from '../../journal/disk/disk.ts';
import type { CheckpointOutput } from '../../pool/messages.ts';
import type { DictionaryDescriptor, SnapshotDescriptor } from '../../snapshot/descriptor.ts';
import { needsNewFormat } from '../../snapshot/dictionary/new-format.ts';
import { KINDS_WORD } from '../../snapshot/dictionary/term-lookup.ts';
import { imageChunks } from '../../snapshot/image/write-image.ts';
import { PIECE_BYTES, PieceDigester } from './piece-digests.ts';

/**
 * The file is synced after this many bytes, because a sync of the journal has to wait for the data
 * of other files on their way to the disk. A single sync at the end would make it wait for hundreds
 * of megabytes at once.
 */
const SYNC_BYTES = 8 << 20;

/**
 * Writes and syncs the large file of a checkpoint (see checkpoint.ts). Runs in a pool thread. An
 * existing file is never overwritten: it could only belong to a process that has taken the
 * directory over.
 */
export async function writeCheckpoint(
  disk: Disk,
  snapshot: SnapshotDescriptor,
  imageFile: string,
  pieceBytes = PIECE_BYTES,
): Promise<CheckpointOutput> {
  return withFile(disk, imageFile, 'create', async (file) => {
    const digester = new PieceDigester(pieceBytes);
    let unsynced = 0;
    for (const chunk of imageChunks(snapshot)) {
      const written = file.append([chunk]);
      digester.update(chunk);
      await written;
      unsynced += chunk.length;
      if (unsynced < SYNC_BYTES) continue;
      await file.sync();
      unsynced = 0;
    }
    await file.sync();
    return { image: digester.digests(), needsNewFormat: termsNeedNewFormat(snapshot.dictionary) };
  });
}

/** Whether a term would be misread by earlier releases (see new-format.ts). */
export function termsNeedNewFormat({ arena, ends: buffer, table, termCount }: DictionaryDescriptor): boolean {
  if (new Uint32Array(table)[KINDS_WORD] === 0) return false;
  const bytes = new Uint8Array(arena);
  const ends = new Uint32Array(buffer);
  for (let id = 1; id <= termCount; id++) if (needsNewFormat(bytes, ends[id - 1]!, ends[id]!)) return true;
  return false;
}
