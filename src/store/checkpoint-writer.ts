import { type Disk, withFile } from '../journal/disk.ts';
import type { CheckpointOutput } from '../pool/messages.ts';
import type { SnapshotDescriptor } from '../snapshot/descriptor.ts';
import { imageChunks } from '../snapshot/image-writer.ts';
import { PIECE_BYTES, PieceDigester } from './piece-digests.ts';

/**
 * Synced after so many bytes, since the journal's sync has to wait for what of other files is on its way to the disk: of a
 * hundred megabytes at once it would be all.
 */
const SYNC_BYTES = 8 << 20;

/**
 * Writes and syncs the big file of a checkpoint (see checkpoint.ts); runs in a pool thread. A file
 * that is there is not touched: it could only be that of a process that has taken the directory
 * over.
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
    return { image: digester.digests() };
  });
}
