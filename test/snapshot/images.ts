import type { SnapshotDescriptor } from '../../src/snapshot/descriptor.ts';
import { imageMemory, memoryOf, storedSnapshot } from '../../src/snapshot/image/image.ts';
import { HEADER_BYTES } from '../../src/snapshot/image/layout.ts';
import { imageChunks } from '../../src/snapshot/image/write-image.ts';
import { requireSound } from '../../src/snapshot/soundness.ts';
import type { StoredSnapshot } from '../../src/snapshot/write/snapshot-writer.ts';

/** The image of a snapshot, with its hash table from so many terms on. */
export function imageOf(descriptor: SnapshotDescriptor, tableFromTerms?: number): Buffer {
  const chunks: Buffer[] = [];
  for (const chunk of imageChunks(descriptor, tableFromTerms)) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

/** Reads an image of which nobody has a digest. */
export function readImage(image: Buffer): StoredSnapshot {
  const memory = imageMemory(image.subarray(0, HEADER_BYTES), image.length);
  let from = 0;
  for (const part of memoryOf(memory, 0, image.length)) from += image.copy(part, 0, from);
  const stored = storedSnapshot(memory, image.length);
  requireSound(stored, stored.base);
  return stored;
}

/** A snapshot as it comes back from its image, its hash table with it. */
export function throughImage(descriptor: SnapshotDescriptor): StoredSnapshot {
  return readImage(imageOf(descriptor, 0));
}
