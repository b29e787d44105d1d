import { createHash } from 'node:crypto';
import { type Disk, readFully, withFile } from '../../journal/disk/disk.ts';
import { SYSTEM_GRAPH_ID } from '../../snapshot/graphs/system-graph.ts';
import type { SnapshotReader } from '../../snapshot/read/reader.ts';
import { contentOf, type StoredContent } from '../registry/resource-registry.ts';

const WINDOW_BYTES = 1 << 20;

/** Returns the contents that a snapshot refers to, without duplicate digests. */
export function referencedContent(reader: SnapshotReader): StoredContent[] {
  const found = new Map<string, StoredContent>();
  const cursor = reader.graphCursor(SYSTEM_GRAPH_ID);
  let subject = 0;
  while (cursor.next()) {
    if (cursor.subject === subject) continue;
    subject = cursor.subject;
    const content = contentOf(reader, subject);
    if (content) found.set(content.digest, content);
  }
  return [...found.values()];
}

/** Returns the path of a content file, relative to the data directory (see storage.ts). */
export function contentPath(digest: string): string {
  return `content/${digest.slice(0, 2)}/${digest}`;
}

/** Describes the damage to a content file; undefined if it is intact. */
export async function contentDamage(
  disk: Disk,
  { digest, bytes }: StoredContent,
): Promise<string | undefined> {
  const path = contentPath(digest);
  try {
    return await withFile(disk, path, 'read', async (file) => {
      const size = await file.size();
      if (size !== bytes) return `${path} has ${size} bytes, not ${bytes}`;
      const hash = createHash('sha256');
      const window = new Uint8Array(WINDOW_BYTES);
      for (let at = 0; at < size; at += WINDOW_BYTES) {
        hash.update(window.subarray(0, await readFully(file, window, at)));
      }
      return hash.digest('hex') === digest ? undefined : `${path} does not match its digest`;
    });
  } catch (error) {
    return `${path} can't be read: ${error instanceof Error ? error.message : String(error)}`;
  }
}
