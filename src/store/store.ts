/**
 * The store: the snapshot that all threads read, and the journal that makes it durable. One writer; calls must not
 * overlap, except that commits go on while a checkpoint is ended. A commit is a list of steps:
 *
 *     plan     preconditions, effective additions and removals, on the snapshot's integers
 *     append   encode as RDF Patch, write, one sync for the group; a long group goes part by part
 *     publish  the snapshot and the graphs' rows; then the caller acknowledges
 *
 * Nothing is published or acknowledged that is not on disk. When the journal fails, what was planned is
 * discarded and writes are off until the next start, for nobody knows what the disk holds; reads go on.
 */
import { type ErrorData, fromErrorData, type Result, toErrorData } from '../errors.ts';
import type { Disk } from '../journal/disk.ts';
import { JournalError } from '../journal/errors.ts';
import type { Journal } from '../journal/journal.ts';
import type { CheckpointOutput } from '../pool/messages.ts';
import type { ChangeFeedWriter } from '../snapshot/change-feed.ts';
import type { Compacted, Compaction } from '../snapshot/compact.ts';
import type { SnapshotDescriptor } from '../snapshot/descriptor.ts';
import type { GraphChange, GraphTable } from '../snapshot/graph-table.ts';
import type { SnapshotWriter } from '../snapshot/writer.ts';
import { checkpointFiles, installCheckpoint, removeCheckpointDrafts } from './checkpoint.ts';
import { journalLimit } from './checkpoint-pace.ts';
import type { CommitBoard } from './commit-board.ts';
import { type Identity, stateOf } from './identity.ts';
import type { Maintenance, MaintenanceOutcome, OpenedStore, Published } from './messages.ts';
import { encodePatch } from './patch.ts';
import { type PlannedEffect, Planner } from './planner.ts';
import { asStoreFull } from './room.ts';
import type { Transaction, TransactionResult } from './transaction.ts';

/** Beyond this the rest of a group has to wait for the next append, so that its text is never all in memory. */
const APPEND_BYTES = 64 * 2 ** 20;

/** Maintenance that failed once will hardly succeed at once. */
const REST_AFTER_FAILURE_MS = 60_000;

/** Where a durable store keeps its data. */
export interface Durability {
  readonly disk: Disk;
  readonly journal: Journal;
  /** Bytes of journal after which a checkpoint is wanted at the earliest. */
  readonly journalMax: number;
  /** Size of the checkpoint that there is. */
  readonly checkpointBytes: number;
}

export interface StoreParts {
  readonly identity: Identity;
  readonly writer: SnapshotWriter;
  readonly graphs: GraphTable;
  /** Number of the newest commit in `writer`. */
  readonly sequence: number;
  /** Number of the newest commit in a checkpoint; 0 when there is none. */
  readonly checkpointed: number;
  /** Bytes of memory that the snapshot may take. */
  readonly dataMax: number;
  /** Null keeps everything in memory. */
  readonly durability: Durability | null;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly board: CommitBoard;
  /** Of which `sequence` is the newest commit. */
  readonly feed: ChangeFeedWriter;
}

export interface GroupResult {
  /** One for each transaction of the group, in order. */
  readonly results: readonly Result<TransactionResult>[];
  /** Null when nothing changed. */
  readonly published: Published | null;
}

interface PlannedGroup {
  readonly results: Result<TransactionResult>[];
  /** Of the transactions that change something, in order. */
  readonly effects: PlannedEffect[];
}

/** A checkpoint that a pool thread is writing: what its manifest will say. */
interface RunningCheckpoint {
  readonly sequence: number;
  readonly quadCount: number;
  readonly graphs: readonly GraphChange[];
}

export class Store {
  readonly #parts: StoreParts;
  readonly #planner: Planner;
  #snapshot: SnapshotDescriptor;
  #fault: ErrorData | undefined;
  #checkpoint: RunningCheckpoint | undefined;
  #compaction: Compaction | undefined;
  /**
   * Number of the newest commit of which a checkpoint was begun. No other is made of the same commit: the files of the
   * first may be in use under their names, though its manifest could not be synced.
   */
  #checkpointBegun: number;
  /** Size of the newest checkpoint. */
  #checkpointBytes: number;
  /** No maintenance is wanted before; milliseconds since 1970. */
  #restUntil = 0;

  constructor(parts: StoreParts) {
    const { writer, graphs, identity, now, sequence, board, dataMax } = parts;
    this.#parts = parts;
    this.#checkpointBegun = parts.checkpointed;
    this.#checkpointBytes = parts.durability?.checkpointBytes ?? 0;
    this.#snapshot = writer.publish(sequence);
    this.#planner = new Planner({
      writer,
      graphs,
      stateOf: (commit) => stateOf(identity, commit),
      now,
      board,
      dataMax,
    });
  }

  /** Why writes are off; undefined while they are on. */
  get fault(): ErrorData | undefined {
    return this.#fault;
  }

  opened(): OpenedStore {
    const { identity, graphs } = this.#parts;
    return { identity, snapshot: this.#snapshot, graphs: [...graphs.entries()] };
  }

  /** Commits the transactions of a group in their order, each whole or not at all. */
  async commit(group: readonly Transaction[]): Promise<GroupResult> {
    const results: Result<TransactionResult>[] = [];
    const published: Published[] = [];
    while (results.length < group.length) {
      const part = await this.#commitPart(group.slice(results.length));
      results.push(...part.results);
      if (part.published) published.push(part.published);
    }
    return { results, published: inOne(published) };
  }

  /** Commits as many as one append takes, the first ones; the others have no result yet. */
  async #commitPart(group: readonly Transaction[]): Promise<GroupResult> {
    if (this.#fault) return refuseAll(group, this.#fault);
    const { results, effects } = this.#plan(group);
    try {
      // Also without effects: that nothing is to be changed is true of a directory that is still
      // this process's.
      await this.#append(effects);
    } catch (error) {
      this.#discard();
      return refuseAll(group.slice(0, results.length), this.#faultOf(error));
    }
    if (effects.length === 0) return { results, published: null };
    this.#parts.feed.write(effects);
    return { results, published: this.#publish(effects.at(-1)!.sequence) };
  }

  /** What a pool thread should do now; asked for again when that has ended. Errors: `writes-disabled`. */
  async wantedMaintenance(): Promise<Maintenance | undefined> {
    const { durability, writer, now } = this.#parts;
    if (now() < this.#restUntil) return undefined;
    if (durability && this.#needsCheckpoint(durability)) return this.#beginCheckpoint(durability.journal);
    if (!writer.needsCompaction) return undefined;
    const compaction = writer.beginCompaction();
    this.#compaction = compaction;
    this.#snapshot = compaction.snapshot;
    return { kind: 'compact', snapshot: compaction.snapshot, compaction };
  }

  #needsCheckpoint({ journal, journalMax }: Durability): boolean {
    if (this.#fault || this.#snapshot.sequence <= this.#checkpointBegun) return false;
    return journal.bytes > journalLimit(journalMax, this.#checkpointBytes);
  }

  /** Takes over what a pool thread made; a new snapshot where that changed it. Commits may go on while a checkpoint is. */
  async endMaintenance(outcome: MaintenanceOutcome): Promise<Published | null> {
    try {
      return outcome.kind === 'compact'
        ? this.#endCompaction(outcome.result)
        : await this.#endCheckpoint(outcome.result);
    } catch (error) {
      this.#restUntil = this.#parts.now() + REST_AFTER_FAILURE_MS;
      throw error;
    }
  }

  /** Ends writing, after something that should never have happened. */
  giveUp(error: unknown): ErrorData {
    const message = `The store has failed (${toErrorData(error).message}): writes are off until a restart.`;
    this.#fault ??= { code: 'writes-disabled', message, details: {} };
    return this.#fault;
  }

  async close(): Promise<void> {
    await this.#parts.durability?.journal.close();
  }

  /**
   * Plans the transactions of a group, or the first of them where all are too much. One that can't be planned is refused,
   * and the others are planned anew, as though it had not been there.
   */
  #plan(group: readonly Transaction[]): PlannedGroup {
    const refused = new Map<Transaction, ErrorData>();
    for (;;) {
      const planned = this.#planWithout(group, refused);
      if (!('failed' in planned)) return planned;
      this.#discard();
      refused.set(planned.failed, planned.error);
    }
  }

  #planWithout(
    group: readonly Transaction[],
    refused: ReadonlyMap<Transaction, ErrorData>,
  ): PlannedGroup | { readonly failed: Transaction; readonly error: ErrorData } {
    const results: Result<TransactionResult>[] = [];
    const effects: PlannedEffect[] = [];
    let bytes = 0;
    for (const transaction of group) {
      if (bytes > APPEND_BYTES) break;
      const error = refused.get(transaction);
      if (error) {
        results.push({ ok: false, error });
        continue;
      }
      try {
        const next = (effects.at(-1)?.sequence ?? this.#snapshot.sequence) + 1;
        const { result, effect } = this.#planner.plan(transaction, next);
        results.push(result);
        if (effect) effects.push(effect);
        bytes += effect?.patchBytes ?? 0;
      } catch (cause) {
        return { failed: transaction, error: toErrorData(asStoreFull(cause)) };
      }
    }
    return { results, effects };
  }

  async #append(effects: readonly PlannedEffect[]): Promise<void> {
    const { terms } = this.#parts.writer.reader();
    await this.#parts.durability?.journal.append(
      effects.map(({ sequence, head, steps }) => ({ sequence, payload: encodePatch(head, steps, terms) })),
    );
  }

  #publish(sequence: number): Published {
    this.#snapshot = this.#parts.writer.publish(sequence);
    return { snapshot: this.#snapshot, graphs: this.#planner.graphs.publish() };
  }

  /** Takes note of an error of the journal. All but `writes-disabled` mean that nothing was written. */
  #faultOf(error: unknown): ErrorData {
    const data = toErrorData(error);
    if (data.code !== 'writes-disabled') return data;
    const isFull = error instanceof JournalError && error.details.fault === 'no-space';
    this.#fault = isFull ? { ...data, code: 'store-full' } : data;
    return this.#fault;
  }

  /** Back to what is published. */
  #discard(): void {
    this.#parts.writer.discard();
    this.#planner.graphs.discard();
  }

  /** From here on the journal goes to a new file, so that the older ones can go when the checkpoint exists. */
  async #beginCheckpoint(journal: Journal): Promise<Maintenance> {
    try {
      await journal.rotate();
    } catch (error) {
      throw fromErrorData(this.#faultOf(error));
    }
    const { sequence, quadCount } = this.#snapshot;
    this.#checkpointBegun = sequence;
    this.#checkpoint = { sequence, quadCount, graphs: [...this.#parts.graphs.entries()] };
    const { imageFile } = checkpointFiles(sequence);
    const { bytes: journalBytes } = journal;
    return { kind: 'checkpoint', snapshot: this.#snapshot, directory: '', imageFile, journalBytes };
  }

  async #endCheckpoint(result: Result<CheckpointOutput>): Promise<null> {
    const checkpoint = this.#checkpoint;
    this.#checkpoint = undefined;
    const { durability } = this.#parts;
    if (!checkpoint || !durability) return null;
    if (!result.ok) {
      await removeCheckpointDrafts(durability.disk, checkpoint.sequence);
      throw fromErrorData(result.error);
    }
    const { bytes } = await installCheckpoint(durability.disk, { ...checkpoint, ...result.value });
    this.#checkpointBytes = bytes;
    await durability.journal.removeThrough(checkpoint.sequence);
    return null;
  }

  #endCompaction(result: Result<Compacted>): Published | null {
    const { writer } = this.#parts;
    const compaction = this.#compaction;
    if (!result.ok) {
      writer.abandonCompaction();
      throw fromErrorData(result.error);
    }
    if (!compaction || !writer.install(compaction, result.value)) return null;
    this.#snapshot = writer.descriptor;
    return { snapshot: this.#snapshot, graphs: [] };
  }
}

/** Several publications as one: the newest snapshot with all rows that changed. */
function inOne(published: readonly Published[]): Published | null {
  const newest = published.at(-1);
  return newest ? { snapshot: newest.snapshot, graphs: published.flatMap(({ graphs }) => graphs) } : null;
}

function refuseAll(group: readonly Transaction[], error: ErrorData): GroupResult {
  return { results: group.map(() => ({ ok: false, error })), published: null };
}
