import { AppError, toErrorData } from '../../errors.ts';
import type { Disk } from '../../journal/disk/disk.ts';
import { withoutUnusedTerms } from '../../snapshot/dictionary/unused-terms.ts';
import { defaultLimits } from '../../snapshot/write/levels.ts';
import { SnapshotWriter } from '../../snapshot/write/snapshot-writer.ts';
import { type Checkpoint, checkpointFiles } from './checkpoint.ts';
import { readImage } from './image-reader.ts';
import { readQuads } from './quads-reader.ts';

/**
 * Returns the snapshot of a checkpoint. Throws `data-damaged` if its image is not as it was
 * written. A checkpoint of format 1 contains its quads a second time: if its image is damaged, this
 * calls `notice` and reads the quads instead.
 */
export async function readCheckpoint(
  disk: Disk,
  checkpoint: Checkpoint,
  notice: (message: string) => void,
): Promise<SnapshotWriter> {
  try {
    return new SnapshotWriter(withoutUnusedTerms(await readImage(disk, checkpoint)));
  } catch (error) {
    const { code, message } = toErrorData(error);
    if (code !== 'data-damaged') throw error;
    if (!checkpoint.quads) throw damagedImage(checkpoint, 'Nothing was changed; restore a backup.', error);
    const { imageFile } = checkpointFiles(checkpoint);
    notice(`${imageFile} can't be used (${message}); the snapshot is rebuilt from the quads.`);
    return readQuads(disk, checkpoint);
  }
}

/**
 * The same for a checkpoint that several processes share: the ids of terms stay as they are, and
 * no compaction changes them later (see `SharedReplay`). Throws `data-damaged`.
 */
export async function readSharedCheckpoint(
  disk: Disk,
  checkpoint: Checkpoint | undefined,
): Promise<SnapshotWriter> {
  const limits = { ...defaultLimits, deadTerms: Number.POSITIVE_INFINITY };
  if (!checkpoint) return new SnapshotWriter(undefined, limits);
  try {
    return new SnapshotWriter(await readImage(disk, checkpoint), limits);
  } catch (error) {
    if (toErrorData(error).code !== 'data-damaged') throw error;
    throw damagedImage(checkpoint, 'Remove the data directory: it is a copy of what the log has.', error);
  }
}

function damagedImage(checkpoint: Checkpoint, advice: string, cause: unknown): AppError {
  const { imageFile } = checkpointFiles(checkpoint);
  const { message } = toErrorData(cause);
  return new AppError('data-damaged', `${imageFile} is damaged: ${message}. ${advice}`, {}, cause);
}
