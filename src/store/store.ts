/**
 * The store: the snapshot that all threads read, and the journal that makes it durable. One writer;
 * calls must not overlap, except that commits go on while a checkpoint is ended. A commit is a list
 * of steps:
 *
 *     plan     preconditions, effective additions and removals, on the snapshot's integers
 *     append   encode as RDF Patch, write, one sync for the group; a long group goes part by part
 *     publish  the snapshot and the graphs' rows; then the caller acknowledges
 *
 * Nothing is published or acknowledged that is not on disk. When the journal fails, what was
 * planned is discarded and writes are off until the next start, for nobody knows what the disk
 * holds; reads go on.
 */
import { type ErrorData, fromErrorData, type Result, toErrorData } from '../errors.ts';
import type { Disk } from '../journal/disk.ts';
import { removeIfThere } from '../journal/durable-file.ts';
import { JournalError } from '../journal/errors.ts';
import type { Journal } from '../journal/journal.ts';
import { REFERENCE_VERSION } from '../journal/record.ts';
import type { CommitProgress } from '../pool/change-messages.ts';
import type { CheckpointOutput } from '../pool/messages.ts';
import type { ChangeFeedWriter } from '../snapshot/change-feed.ts';
import type { Compacted, Compaction } from '../snapshot/compact.ts';
import type { SnapshotDescriptor } from '../snapshot/descriptor.ts';
import type { GraphChange, GraphTable } from '../snapshot/graph-table.ts';
import type { TermList } from '../snapshot/overlay-dictionary.ts';
import type { SnapshotWriter } from '../snapshot/writer.ts';
import { bulkOperation } from './bulk-size.ts';
import { cancelled } from './cancelled.ts';
import {
  type CheckpointName,
  checkpointFiles,
  installCheckpoint,
  newCheckpointName,
  removeCheckpointDrafts,
} from './checkpoint.ts';
import { journalLimit } from './checkpoint-pace.ts';
import type { CommitBoard } from './commit-board.ts';
import { type Identity, stateOf } from './identity.ts';
import type { Maintenance, MaintenanceOutcome, OpenedStore, Published } from './messages.ts';
import { encodePatch, encodeReference } from './patch.ts';
import { newPatchName } from './patch-file.ts';
import type { PatchFiles } from './patch-files.ts';
import { type PlannedEffect, Planner } from './planner.ts';
import type { PreparedTransaction } from './prepared-changes.ts';
import { asStoreFull, requireRoom } from './room.ts';
import type { TermImport } from './term-import.ts';
import type { GraphOperation, Transaction, TransactionResult } from './transaction.ts';

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
  /** The patch files that the journal names. */
  readonly patches: PatchFiles;
  /** See `StoreSettings`. */
  readonly bulkRows: number;
  /** Of which `sequence` is the newest commit. */
  readonly feed: ChangeFeedWriter;
}

/** What a big change is worked out on. */
export interface BulkBasis {
  readonly snapshot: SnapshotDescriptor;
  /** The graphs that have changed since. */
  readonly changedSince: ReadonlySet<string>;
  /** See `planGraphOperation`. */
  readonly blankPrefix: string;
  /** Of the file that is to have its rows; null where nothing is kept on disk. */
  readonly patchName: string | null;
}

interface HeldBasis {
  readonly changedSince: Set<string>;
  /** While it is held, no term gets another id. */
  readonly releaseIds: () => void;
}

/**
 * The error of a transaction that must wait since it changes a graph that is held for another one.
 */
export const heldBack: ErrorData = {
  code: 'overloaded',
  message: 'The graph is held for another change.',
  details: {},
};

const noGraphs: ReadonlySet<string> = new Set();

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
interface RunningCheckpoint extends CheckpointName {
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
  /**
   * Whether something was refused for want of memory: then all that was deleted is worth a new base
   * run.
   */
  #isFull = false;
  /** No maintenance is wanted before; milliseconds since 1970. */
  #restUntil = 0;
  /** Of the big changes that are worked out. */
  readonly #bases = new Map<BulkBasis, HeldBasis>();
  #bulkCount = 0;

  constructor(parts: StoreParts) {
    const { writer, graphs, identity, now, sequence, board, dataMax } = parts;
    this.#parts = parts;
    this.#checkpointBegun = parts.checkpointed;
    this.#checkpointBytes = parts.durability?.checkpointBytes ?? 0;
    this.#snapshot = writer.publish(sequence);
    parts.feed.renumber(this.#snapshot.dictionary.generation);
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

  /**
   * Commits the transactions of a group in their order, each whole or not at all. The first one may
   * have been prepared; it must be valid. Those that change a graph of `held` are refused with the
   * very error `heldBack`.
   */
  async commit(group: readonly PreparedTransaction[], held = noGraphs): Promise<GroupResult> {
    const results: Result<TransactionResult>[] = [];
    const published: Published[] = [];
    while (results.length < group.length) {
      const part = await this.#commitPart(group.slice(results.length), held);
      results.push(...part.results);
      if (part.published) published.push(part.published);
    }
    return { results, published: inOne(published) };
  }

  /** Commits as many as one append takes, the first ones; the others have no result yet. */
  async #commitPart(group: readonly PreparedTransaction[], held: ReadonlySet<string>): Promise<GroupResult> {
    if (this.#fault) return refuseAll(group, this.#fault);
    const { results, effects } = this.#plan(group, held);
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

  /** Why a transaction would be refused now, whatever it comes to; undefined when it would not. */
  refusalOf(transaction: Transaction, graphs?: readonly string[]): ErrorData | undefined {
    if (this.#fault) return this.#fault;
    const refusal = this.#planner.refusalOf(transaction, graphs);
    return refusal && toErrorData(refusal);
  }

  /** What pool threads are to work out of a transaction; undefined when it is not for them. */
  bulkOperation(transaction: Transaction): GraphOperation | undefined {
    const { graphs, bulkRows } = this.#parts;
    return bulkOperation(transaction, (graph) => graphs.get(graph)?.size ?? 0, bulkRows);
  }

  /** Where other threads look whether a transaction is cancelled; undefined when it can't be. */
  progressOf({ id }: Transaction): CommitProgress | undefined {
    return id === undefined ? undefined : { board: this.#parts.board.buffer, id };
  }

  /** From now on notes which graphs change, and keeps the ids of terms, until `endBulk`. */
  beginBulk(): BulkBasis {
    const { sequence } = this.#snapshot;
    const changedSince = new Set<string>();
    // The middle sign is no digit of base 36, and another one than in labels that are made of a
    // commit's own number. A change that is worked out in a later process begins at a later commit,
    // if this one was ever made durable.
    const blankPrefix = `b${sequence.toString(36)}Y${(++this.#bulkCount).toString(36)}X`;
    const patchName = this.#parts.durability && newPatchName(sequence);
    const basis = { snapshot: this.#snapshot, changedSince, blankPrefix, patchName };
    this.#bases.set(basis, { changedSince, releaseIds: this.#parts.writer.holdIds() });
    return basis;
  }

  endBulk(basis: BulkBasis): void {
    this.#bases.get(basis)?.releaseIds();
    this.#bases.delete(basis);
  }

  /** Error `store-full` when there is no room for so many quads more with new terms. */
  requireRoomFor(quads: number, { count, ends }: TermList): void {
    const { writer, dataMax } = this.#parts;
    try {
      if (quads > 0) requireRoom(writer, quads, dataMax);
      writer.dictionary.requireRoom(count, ends[count]! - ends[0]!);
    } catch (error) {
      this.#isFull = true;
      throw error;
    }
  }

  /**
   * Takes in new terms for so many milliseconds; whether all are there then. Not to be called
   * during `commit`.
   */
  takeTerms(terms: TermImport, milliseconds: number): boolean {
    const { writer } = this.#parts;
    const done = terms.advance(writer.dictionary, milliseconds);
    // Published terms stay when a group is discarded.
    this.#snapshot = writer.publish(this.#snapshot.sequence);
    return done;
  }

  /** The newest snapshot; it has terms that were taken in since the last commit. */
  get snapshot(): SnapshotDescriptor {
    return this.#snapshot;
  }

  /** Removes the file of a transaction that came to nothing. */
  async removePatch(name: string): Promise<void> {
    const { durability } = this.#parts;
    // After a failure of the journal nobody knows whether a record names it.
    if (durability && !this.#fault) await removeIfThere(durability.disk, name);
  }

  /** What a pool thread should do now; asked for again when that has ended. Errors: `writes-disabled`. */
  async wantedMaintenance(): Promise<Maintenance | undefined> {
    const { durability, writer, now } = this.#parts;
    if (now() < this.#restUntil) return undefined;
    if (durability && this.#needsCheckpoint(durability)) return this.#beginCheckpoint(durability.journal);
    if (!writer.needsCompaction && !(this.#isFull && writer.canShrink)) return undefined;
    const compaction = writer.beginCompaction();
    this.#compaction = compaction;
    this.#isFull = false;
    this.#snapshot = compaction.snapshot;
    return { kind: 'compact', snapshot: compaction.snapshot, compaction };
  }

  /** Of the journal and the patch files that it names. */
  #journalBytes(journal: Journal): number {
    return journal.bytes + this.#parts.patches.bytes;
  }

  #needsCheckpoint({ journal, journalMax }: Durability): boolean {
    if (this.#fault || this.#snapshot.sequence <= this.#checkpointBegun) return false;
    return journal.bytes + this.#parts.patches.weight > journalLimit(journalMax, this.#checkpointBytes);
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
   * Plans the transactions of a group, or the first of them where all are too much. One that can't
   * be planned is refused, and the others are planned anew, as though it had not been there.
   */
  #plan(group: readonly PreparedTransaction[], held: ReadonlySet<string>): PlannedGroup {
    const refused = new Map<Transaction, ErrorData>();
    for (;;) {
      const planned = this.#planWithout(group, refused, held);
      if (!('failed' in planned)) return planned;
      this.#discard();
      if (planned.error.code === 'store-full') this.#isFull = true;
      refused.set(planned.failed, planned.error);
    }
  }

  #planWithout(
    group: readonly PreparedTransaction[],
    refused: ReadonlyMap<Transaction, ErrorData>,
    held: ReadonlySet<string>,
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
        if (effect && touches(effect.graphs, held)) return { failed: transaction, error: heldBack };
        results.push(result);
        if (effect) effects.push(effect);
        bytes += effect?.patchBytes ?? 0;
      } catch (cause) {
        return { failed: transaction, error: toErrorData(asStoreFull(cause)) };
      }
    }
    const withdrawn = group
      .slice(0, results.length)
      .find((each) => !refused.has(each) && !this.#decide(each));
    return withdrawn ? { failed: withdrawn, error: toErrorData(cancelled()) } : { results, effects };
  }

  /**
   * A planned transaction can't be cancelled any more, whatever becomes of the others of its group.
   * False when it has been.
   */
  #decide({ id }: Transaction): boolean {
    return id === undefined || this.#parts.board.commit(id);
  }

  async #append(effects: readonly PlannedEffect[]): Promise<void> {
    const { terms } = this.#parts.writer.reader();
    await this.#parts.durability?.journal.append(
      effects.map(({ sequence, head, steps, patch }) =>
        patch
          ? { sequence, payload: encodeReference(head, patch), version: REFERENCE_VERSION }
          : { sequence, payload: encodePatch(head, steps, terms) },
      ),
    );
    for (const { sequence, patch } of effects) if (patch) this.#parts.patches.add(patch, sequence);
  }

  #publish(sequence: number): Published {
    this.#snapshot = this.#parts.writer.publish(sequence);
    const graphs = this.#planner.graphs.publish();
    for (const { changedSince } of this.#bases.values()) {
      for (const [name] of graphs) changedSince.add(name);
    }
    return { snapshot: this.#snapshot, graphs };
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
    const name = newCheckpointName(sequence);
    this.#checkpoint = { ...name, quadCount, graphs: [...this.#parts.graphs.entries()] };
    const { imageFile } = checkpointFiles(name);
    const journalBytes = this.#journalBytes(journal);
    return { kind: 'checkpoint', snapshot: this.#snapshot, directory: '', imageFile, journalBytes };
  }

  async #endCheckpoint(result: Result<CheckpointOutput>): Promise<null> {
    const checkpoint = this.#checkpoint;
    this.#checkpoint = undefined;
    const { durability } = this.#parts;
    if (!checkpoint || !durability) return null;
    if (!result.ok) {
      await removeCheckpointDrafts(durability.disk, checkpoint);
      throw fromErrorData(result.error);
    }
    const { bytes } = await installCheckpoint(durability.disk, { ...checkpoint, ...result.value });
    this.#checkpointBytes = bytes;
    await durability.journal.removeThrough(checkpoint.sequence);
    await this.#parts.patches.removeThrough(durability.disk, checkpoint.sequence);
    return null;
  }

  #endCompaction(result: Result<Compacted>): Published | null {
    const { writer, feed } = this.#parts;
    const compaction = this.#compaction;
    if (!result.ok) {
      writer.abandonCompaction();
      throw fromErrorData(result.error);
    }
    if (!compaction || !this.#install(compaction, result.value)) return null;
    this.#snapshot = writer.descriptor;
    feed.renumber(this.#snapshot.dictionary.generation);
    return { snapshot: this.#snapshot, graphs: [] };
  }

  /**
   * An installation that fails may leave the working state with ids of two generations, so nothing
   * is written upon it.
   */
  #install(compaction: Compaction, compacted: Compacted): boolean {
    try {
      return this.#parts.writer.install(compaction, compacted);
    } catch (error) {
      throw fromErrorData(this.giveUp(error));
    }
  }
}

/** Several publications as one: the newest snapshot with all rows that changed. */
function inOne(published: readonly Published[]): Published | null {
  const newest = published.at(-1);
  return newest ? { snapshot: newest.snapshot, graphs: published.flatMap(({ graphs }) => graphs) } : null;
}

function touches(graphs: Iterable<string>, held: ReadonlySet<string>): boolean {
  if (held.size === 0) return false;
  for (const graph of graphs) if (held.has(graph)) return true;
  return false;
}

function refuseAll(group: readonly Transaction[], error: ErrorData): GroupResult {
  return { results: group.map(() => ({ ok: false, error })), published: null };
}
