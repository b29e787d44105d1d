import { AppError, toErrorData } from '../errors.ts';
import type { Disk } from '../journal/disk.ts';
import { withoutUnusedTerms } from '../snapshot/unused-terms.ts';
import { SnapshotWriter } from '../snapshot/writer.ts';
import { type Checkpoint, checkpointFiles } from './checkpoint.ts';
import { readImage } from './image-reader.ts';
import { readQuads } from './quads-reader.ts';

/**
 * The snapshot of a checkpoint. Error `data-damaged` when its image is not the one that was
 * written. A checkpoint of format 1 has its quads a second time: then `notice` is told, and they
 * are read.
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
    notice(`${imageFile} can't be used (${message}); the snapshot is built anew from the quads.`);
    return readQuads(disk, checkpoint);
  }
}
