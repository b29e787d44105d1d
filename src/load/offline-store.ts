import { resolve } from 'node:path';
import { AppError, fromErrorData } from '../errors.ts';
import type { Disk } from '../journal/disk/disk.ts';
import { FencedDisk } from '../journal/disk/fenced-disk.ts';
import { openNodeDisk } from '../journal/disk/node-disk.ts';
import { requireLease } from '../journal/lock/lease.ts';
import { type Lock, lockDirectory } from '../journal/lock/lock.ts';
import type { CheckpointOutput } from '../pool/messages.ts';
import { graphNameOf } from '../rdf/model/graph-name.ts';
import type { TermId } from '../rdf/model/term-id.ts';
import { exhausted } from '../snapshot/capacity.ts';
import type { SnapshotDescriptor } from '../snapshot/descriptor.ts';
import { SYSTEM_GRAPH_ID } from '../snapshot/graphs/system-graph.ts';
import type { GraphChange } from '../snapshot/graphs/table.ts';
import { openSnapshot, type SnapshotReader } from '../snapshot/read/reader.ts';
import { BaseRun } from '../snapshot/runs/base-run.ts';
import {
  type Checkpoint,
  checkpointFiles,
  findCheckpoint,
  installCheckpoint,
  type LoadedFile,
  newCheckpointName,
  removeCheckpointDrafts,
} from '../store/checkpoint/checkpoint.ts';
import { writeCheckpoint } from '../store/checkpoint/write-checkpoint.ts';
import { rejectionOf } from '../store/graphs/rejection.ts';
import { encodePatch } from '../store/patch/patch.ts';
import { type DurableParts, recoverParts } from '../store/recovery/open-store.ts';
import { recordedBase } from '../store/registry/base-registry.ts';
import { Intake } from './intake.ts';
import { baseWith } from './merged-base.ts';

type Notice = (message: string) => void;

/**
 * A data directory into which files are loaded while no server uses it. The added data are one
 * commit, stored in a checkpoint. The journal gets only a record with the commit's number and no
 * changes, written just before the checkpoint is installed.
 */
export class OfflineStore {
  readonly intake: Intake;
  readonly #parts: DurableParts;
  readonly #lock: Pick<Lock, 'release'>;
  #snapshot: SnapshotDescriptor;
  #sequence: number;
  #loaded: readonly LoadedFile[];

  /**
   * Locks and opens a directory, which is created if it does not exist. Errors: `data-locked`,
   * `data-damaged`.
   */
  static async open(directory: string, notice: Notice): Promise<OfflineStore> {
    const lock = await lockDirectory(resolve(directory), { notice });
    try {
      const disk = await openNodeDisk(resolve(directory));
      const { lease } = lock;
      const fenced = lease ? new FencedDisk(disk, () => requireLease(lease)) : disk;
      const store = await OfflineStore.recover(fenced, lock, notice);
      await lock.noteFenced();
      return store;
    } catch (error) {
      await lock.release();
      throw error;
    }
  }

  /** Opens the data on a disk whose lock the caller holds. The lock is released at the end. */
  static async recover(
    disk: Disk,
    lock: Pick<Lock, 'lease' | 'needsFence' | 'release'>,
    notice: Notice,
  ): Promise<OfflineStore> {
    const { lease, needsFence: fence } = lock;
    const settings = { journalMax: 0, dataMax: Number.POSITIVE_INFINITY, recover: false, lease, fence };
    const parts = await recoverParts(disk, settings, notice);
    const checkpoint = await findCheckpoint(disk);
    // A later change of the data may have deleted loaded statements, so then the files count as not
    // loaded.
    const loaded = checkpoint && isAsIn(checkpoint, parts) ? checkpoint.loaded : undefined;
    return new OfflineStore(parts, lock, loaded ?? []);
  }

  private constructor(parts: DurableParts, lock: Pick<Lock, 'release'>, loaded: readonly LoadedFile[]) {
    this.#parts = parts;
    this.#lock = lock;
    this.#sequence = parts.sequence;
    this.#loaded = loaded;
    this.#snapshot = parts.writer.publish(parts.sequence);
    this.intake = new Intake(parts.writer.dictionary, (graph) => this.#requireWritable(graph));
  }

  /** The base of the server's URIs, if the directory records it. */
  get base(): string | undefined {
    return recordedBase(this.#reader);
  }

  /** Files that have been loaded, if the data have not changed since. */
  get loaded(): readonly LoadedFile[] {
    return this.#loaded;
  }

  get quadCount(): number {
    return this.#snapshot.quadCount;
  }

  /** Returns the prefix for labels of blank nodes of the next file, which is unique to it. */
  blankPrefix(file: number): string {
    return `b${(this.#sequence + 1).toString(36)}X${file.toString(36)}X`;
  }

  /**
   * Makes the added data durable and records which files they come from. Errors: `store-full`,
   * those of the disk.
   */
  async commit(files: readonly LoadedFile[]): Promise<void> {
    const { durability, graphs, patches, writer, now } = this.#parts;
    const { disk, log } = durability;
    const added = this.#snapshot.quadCount - writer.quadCount + this.intake.rows.length;
    const end = exhausted(writer, added);
    if (end !== undefined) throw new AppError('store-full', end);
    const sequence = this.#sequence + 1;
    const name = newCheckpointName(sequence);
    const before = this.#reader;
    const next = this.#withRows(sequence);
    const loaded = [...this.#loaded, ...files];
    const time = now();
    const rows = changedRows(next, before, (name) => graphs.get(name), { sequence, modified: time });
    const all = new Map([...graphs.entries(), ...rows]);
    let output: CheckpointOutput;
    try {
      output = await writeCheckpoint(disk, next, checkpointFiles(name).imageFile);
      const head = { time, created: [], dropped: [], reduced: [] };
      await log.append([{ sequence, payload: encodePatch(head, [], before.terms) }]);
      await log.beginCheckpoint();
    } catch (error) {
      await removeCheckpointDrafts(disk, name).catch(() => {});
      throw error;
    }
    const { quadCount } = next;
    // If this fails, the checkpoint may nevertheless exist, so the next start decides what happens
    // to its files.
    await installCheckpoint(disk, { ...output, ...name, quadCount, graphs: [...all], loaded });
    await log.checkpointed(sequence);
    await patches.retireThrough(sequence, (name) => disk.remove(name));
    graphs.apply(rows);
    this.#snapshot = next;
    this.#sequence = sequence;
    this.#loaded = loaded;
  }

  async close(): Promise<void> {
    try {
      await this.#parts.durability.log.close();
    } finally {
      await this.#lock.release();
    }
  }

  get #reader(): SnapshotReader {
    return openSnapshot(this.#snapshot);
  }

  /** Returns the snapshot with the added rows. */
  #withRows(sequence: number): SnapshotDescriptor {
    const dictionary = this.#parts.writer.dictionary.descriptor();
    const base = baseWith(this.#snapshot, this.intake.rows, dictionary.termCount);
    const { buffer } = base.words;
    return {
      ...this.#snapshot,
      sequence,
      dictionary,
      quadCount: base.quads,
      base: buffer,
      deltas: [],
      logCount: 0,
    };
  }

  #requireWritable(graph: TermId): void {
    const name = graphNameOf(this.#parts.writer.terms.text(graph));
    const error = rejectionOf(this.#reader, name);
    if (error) throw fromErrorData(error);
  }
}

/**
 * Whether no graph has changed since a checkpoint. After the checkpoint, the journal may contain a
 * record without changes from an interrupted commit.
 */
function isAsIn({ sequence, graphs: before }: Checkpoint, { graphs }: DurableParts): boolean {
  const rows = [...graphs.entries()];
  return rows.length === before.length && rows.every(([, row]) => row.sequence <= sequence);
}

/** Returns the table rows of the graphs that have grown. */
function changedRows(
  next: SnapshotDescriptor,
  before: SnapshotReader,
  rowOf: (name: string) => { readonly since: number } | undefined,
  stamp: { readonly sequence: number; readonly modified: number },
): GraphChange[] {
  const rows: GraphChange[] = [];
  const { terms } = openSnapshot(next);
  const base = new BaseRun(next.base);
  for (let i = 0; i < base.graphs; i++) {
    const id = base.words[base.graphIds + i]!;
    const size = base.words[base.graphStarts + i + 1]! - base.words[base.graphStarts + i]!;
    if (id === SYSTEM_GRAPH_ID || size === before.graphSize(id)) continue;
    const name = graphNameOf(terms.text(id));
    rows.push([name, { size, since: rowOf(name)?.since ?? stamp.sequence, ...stamp }]);
  }
  return rows;
}
