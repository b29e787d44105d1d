import { toErrorData } from '../../errors.ts';
import type { Disk } from '../../journal/disk/disk.ts';
import { openSnapshot, type SnapshotReader } from '../../snapshot/read/reader.ts';
import { checkpointFiles } from '../checkpoint/checkpoint.ts';
import { readLines } from '../checkpoint/quads-reader.ts';
import { newBounds, scanQuad } from '../patch/quad-scanner.ts';
import type { ReadData } from '../recovery/load-data.ts';

/**
 * Returns the damage to the file of quads of a format 1 checkpoint, or its differences from the
 * snapshot in the checkpoint's image.
 */
export async function quadsDamages(disk: Disk, { checkpoint, stored }: ReadData): Promise<string[]> {
  if (!checkpoint?.quads) return [];
  const reader = openSnapshot(stored);
  let lines = 0;
  let missing = 0;
  try {
    await readLines(disk, checkpoint, (piece) => {
      const counts = countLines(piece, reader);
      lines += counts.lines;
      missing += counts.missing;
    });
  } catch (error) {
    return [toErrorData(error).message];
  }
  if (missing === 0 && lines === reader.quadCount) return [];
  const { quadsFile, imageFile } = checkpointFiles(checkpoint);
  return [
    `${quadsFile} has ${lines} quads, ${missing} of which are not in ${imageFile}, which has ${reader.quadCount}`,
  ];
}

function countLines(piece: Uint8Array, reader: SnapshotReader): { lines: number; missing: number } {
  const bounds = newBounds();
  const id = (column: number) => reader.findBytes(piece, bounds[2 * column]!, bounds[2 * column + 1]!);
  let lines = 0;
  let missing = 0;
  for (let at = 0; at < piece.length; lines++) {
    at = scanQuad(piece, at, bounds);
    if (!reader.hasQuad(id(0), id(1), id(2), id(3))) missing++;
  }
  return { lines, missing };
}
