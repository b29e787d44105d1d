import assert from 'node:assert/strict';
import type { Disk } from '../../src/journal/disk/disk.ts';
import { listCheckpointFiles } from '../../src/store/checkpoint/checkpoint.ts';

/** The name of one file of the newest checkpoint. */
export async function checkpointFile(disk: Disk, kind: 'nq' | 'image' | 'json'): Promise<string> {
  const file = (await listCheckpointFiles(disk)).findLast((each) => each.kind === kind);
  assert.ok(file);
  return file.name;
}

/** Names of files as they would be if checkpoints had no tokens. */
export function withoutTokens(names: readonly string[]): string[] {
  return names.map((name) => name.replace(/^(checkpoint-\d+)-[0-9a-f]{16}\./, '$1.'));
}
