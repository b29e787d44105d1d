import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { Disk } from '../../src/journal/disk/disk.ts';
import type { Lease } from '../../src/journal/lock/lease.ts';
import { serializeRdf } from '../../src/rdf/formats/serialize-quads.ts';
import { newChangeFeed } from '../../src/snapshot/feed/change-feed.ts';
import { openSnapshot } from '../../src/snapshot/read/reader.ts';
import { carryOut } from '../../src/snapshot/runs/compact.ts';
import { writeCheckpoint } from '../../src/store/checkpoint/write-checkpoint.ts';
import { ContentFiles } from '../../src/store/content/storage.ts';
import type { ContentFile } from '../../src/store/content/write-file.ts';
import type { RetentionLimits } from '../../src/store/history/retention-limits.ts';
import type { GraphOperation, GraphPrecondition, Operation } from '../../src/store/main/transaction.ts';
import { recoverStore } from '../../src/store/recovery/open-store.ts';
import type { Store } from '../../src/store/thread/store.ts';
import { blockOf } from './blocks.ts';

export interface OpenOptions {
  readonly journalMax?: number;
  readonly dataMax?: number;
  readonly recover?: boolean;
  readonly notices?: string[];
  readonly commitBoard?: SharedArrayBuffer;
  readonly changeFeed?: SharedArrayBuffer;
  readonly changesRetention?: RetentionLimits;
  readonly now?: () => number;
}

export function openOn(disk: Disk, options: OpenOptions = {}, lease?: Lease): Promise<Store> {
  const { notices = [], ...given } = options;
  const settings = {
    journalMax: 2 ** 30,
    dataMax: 2 ** 31,
    recover: false,
    changeFeed: newChangeFeed({ rows: 64, commits: 16 }),
    ...given,
    lease,
  };
  return recoverStore(disk, settings, (message) => notices.push(message));
}

/** Opens a store as a process does that has its directory by a lease. */
export function openFenced(disk: Disk, options: OpenOptions = {}): Promise<Store> {
  return openOn(disk, options, { file: 'lock.1', id: 'mine' });
}

export function merge(graph: string, nquads: string): GraphOperation {
  return { kind: 'merge', graph, block: blockOf(nquads) };
}

export function replace(graph: string, nquads: string): GraphOperation {
  return { kind: 'replace', graph, block: blockOf(nquads) };
}

export function drop(graph: string, keep = false): GraphOperation {
  return { kind: 'drop', graph, keep };
}

/** Commits one transaction, which must succeed. */
export async function commit(store: Store, ...operations: Operation[]) {
  const { results } = await store.commit([{ preconditions: [], operations }]);
  const [result] = results;
  assert.ok(result?.ok, JSON.stringify(result));
  return result.value;
}

export async function commitIf(store: Store, precondition: GraphPrecondition, operation: Operation) {
  const { results } = await store.commit([{ preconditions: [precondition], operations: [operation] }]);
  return results[0]!;
}

/** Stores some bytes as the content of a resource, in a data directory that no store has open. */
export async function putContent(disk: Disk, directory: string, resource: string): Promise<ContentFile> {
  const files = await ContentFiles.open(join(directory, 'content'));
  const chunks = async function* () {
    yield Buffer.from(`content of ${resource}`);
  };
  const file = await files.write(chunks());
  const store = await openOn(disk);
  const content = { ...file, contentType: 'text/plain', modified: Date.now() };
  await commit(store, { kind: 'register', resource }, { kind: 'content', resource, content });
  await store.close();
  return file;
}

/** The published quads as sorted N-Quads lines. */
export function contentOf(store: Store): string[] {
  const cursor = openSnapshot(store.opened().snapshot).allQuads();
  return linesOf([...serializeRdf(cursor, { mediaType: 'application/n-quads' })]);
}

/** What a store on that disk holds. It is closed again: newer Node.js reports files left open. */
export async function contentOn(disk: Disk): Promise<string[]> {
  const store = await openOn(disk);
  const content = contentOf(store);
  await store.close();
  return content;
}

/** The published quads as N-Quads in their own order: that of term ids. */
export function orderedContentOf(store: Store): string {
  const cursor = openSnapshot(store.opened().snapshot).allQuads();
  return Buffer.concat([...serializeRdf(cursor, { mediaType: 'application/n-quads' })]).toString();
}

export function linesOf(chunks: readonly Uint8Array[]): string[] {
  return Buffer.concat(chunks).toString().split('\n').filter(Boolean).sort();
}

/**
 * Does the maintenance that the store needs, as a pool thread would, with its own view of the disk.
 * Returns its kind.
 */
export async function maintain(store: Store, disk: Disk): Promise<'checkpoint' | 'compact' | 'nothing'> {
  const wanted = await store.wantedMaintenance();
  if (!wanted) return 'nothing';
  const { kind, snapshot } = wanted;
  if (kind === 'compact') {
    await store.endMaintenance({ kind, result: { ok: true, value: carryOut(wanted.compaction) } });
  } else {
    const value = await writeCheckpoint(disk, snapshot, wanted.imageFile);
    await store.endMaintenance({ kind, result: { ok: true, value } });
  }
  return kind;
}
