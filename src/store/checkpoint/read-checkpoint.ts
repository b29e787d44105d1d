import { AppError, toErrorData } from '../../errors.ts';
import type { Disk } from '../../journal/disk/disk.ts';
import { withoutUnusedTerms } from '../../snapshot/dictionary/unused-terms.ts';
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
    const { imageFile } = checkpointFiles(checkpoint);
    if (!checkpoint.quads) {
      const advice = 'Nothing was changed; restore a backup.';
      throw new AppError('data-damaged', `${imageFile} is damaged: ${message}. ${advice}`, {}, error);
    }
    notice(`${imageFile} can't be used (${message}); the snapshot is rebuilt from the quads.`);
    return readQuads(disk, checkpoint);
  }
}
