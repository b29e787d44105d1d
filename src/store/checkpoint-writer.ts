import { createHash } from 'node:crypto';
import { type Disk, type DiskFile, withFile } from '../journal/disk.ts';
import type { CheckpointOutput, FileDigest } from '../pool/messages.ts';
import { serializeRdf } from '../rdf/serialize.ts';
import type { SnapshotDescriptor } from '../snapshot/descriptor.ts';
import { writeImage } from '../snapshot/image.ts';
import { openSnapshot } from '../snapshot/reader.ts';

/**
 * Synced after so many bytes, since the journal's sync has to wait for what of other files is on its way to the disk: of a
 * hundred megabytes at once it would be all.
 */
const SYNC_BYTES = 8 << 20;
/** Of the memory that quads are written in, as much as the disk takes at a time. */
const CHUNK_BYTES = 256 * 1024;

/**
 * Writes and syncs the two big files of a checkpoint (see checkpoint.ts); runs in a pool thread.
 * Files that are there are not touched: they could only be those of a process that has taken the
 * directory over.
 */
export async function writeCheckpoint(
  disk: Disk,
  snapshot: SnapshotDescriptor,
  quadsFile: string,
  imageFile: string,
): Promise<CheckpointOutput> {
  const quads = await writeFile(disk, quadsFile, async (append) => {
    const cursor = openSnapshot(snapshot).allQuads();
    // A chunk is on the disk before the next one is asked for. New memory for each would have V8 collect garbage again and again.
    const memory = new Uint8Array(CHUNK_BYTES);
    const options = { mediaType: 'application/n-quads', spare: () => memory };
    for (const chunk of serializeRdf(cursor, options)) await append(chunk);
  });
  const image = await writeFile(disk, imageFile, (append) => writeImage(snapshot, append));
  return { quads, image };
}

async function writeFile(
  disk: Disk,
  name: string,
  write: (append: (chunk: Uint8Array) => Promise<void>) => Promise<void>,
): Promise<FileDigest> {
  return withFile(disk, name, 'create', async (file) => {
    const digest = await writeAll(file, write);
    await file.sync();
    return digest;
  });
}

async function writeAll(
  file: DiskFile,
  write: (append: (chunk: Uint8Array) => Promise<void>) => Promise<void>,
): Promise<FileDigest> {
  const hash = createHash('sha256');
  let bytes = 0;
  let synced = 0;
  await write(async (chunk) => {
    hash.update(chunk);
    bytes += chunk.length;
    await file.append([chunk]);
    if (bytes - synced < SYNC_BYTES) return;
    await file.sync();
    synced = bytes;
  });
  return { bytes, digest: hash.digest('hex') };
}
