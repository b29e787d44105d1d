/**
 * The store: the snapshot that all threads read, and the journal that makes it durable. There is
 * one writer. Calls must not overlap, except that commits continue while the end of a checkpoint is
 * processed. A commit is a list of steps:
 *
 *     plan     preconditions, effective additions and removals, on the snapshot's integers
 *     append   encode as RDF Patch, write, one sync for the group; a long group goes part by part
 *     publish  the snapshot and the graphs' rows; then the caller acknowledges
 *
 * Nothing is published or acknowledged before it is on disk. If the journal fails, the planned
 * changes are discarded and writes are disabled until the next start, because the state of the disk
 * is unknown; reads continue. A store that shares its log with other processes appends in another
 * way (see `committer.ts`).
 */

import { type ErrorData, fromErrorData, type Result, toErrorData } from '../../errors.ts';
import type { CommitLog } from '../../journal/commit-log.ts';
import { removeIfThere } from '../../journal/disk/durable-file.ts';
import { JournalError } from '../../journal/errors.ts';
import type { CommitProgress } from '../../pool/change-messages.ts';
import type { CheckpointOutput } from '../../pool/messages.ts';
import type { SnapshotDescriptor } from '../../snapshot/descriptor.ts';
import type { TermList } from '../../snapshot/dictionary/overlay.ts';
import type { ChangeFeedWriter } from '../../snapshot/feed/change-feed.ts';
import type { GraphChange, GraphTable } from '../../snapshot/graphs/table.ts';
import type { Compacted, Compaction } from '../../snapshot/runs/compact.ts';
import type { SnapshotWriter } from '../../snapshot/write/snapshot-writer.ts';
import { bigOperation } from '../big-write/threshold.ts';
import {
  type CheckpointName,
  checkpointFiles,
  installCheckpoint,
  newCheckpointName,
  removeCheckpointDrafts,
} from '../checkpoint/checkpoint.ts';
import { journalLimit } from '../checkpoint/schedule.ts';
import { SharedCommitter, type SharedParts } from '../cluster/shared-committer.ts';
import type { CommitBoard } from '../commit-board.ts';
import type { TermImport } from '../graphs/term-import.ts';
import type { GraphOperation, Transaction, TransactionResult } from '../main/transaction.ts';
import type { Maintenance, MaintenanceOutcome, OpenedStore, Published } from '../messages.ts';
import { newPatchName } from '../patch/file.ts';
import type { PatchFiles } from '../patch/file-set.ts';
import { type PlannedEffect, Planner } from '../planning/planner.ts';
import { ChangedGraphs, isValid, type PreparedTransaction } from '../planning/prepared-changes.ts';
import { asStoreFull, requireRoom, requireRoomForTerms } from '../planning/room.ts';
import { cancelled } from '../recovery/cancelled.ts';
import { type Identity, stateOf } from '../registry/identity.ts';
import type { Committer } from './committer.ts';
import type { Durability } from './durability.ts';
import { LocalCommitter } from './local-committer.ts';
import { storeFailed } from './store-failed.ts';

/**
 * Above this size the rest of a group waits for the next append, so that its text is never in
 * memory all at once.
 */
const APPEND_BYTES = 64 * 2 ** 20;

/** The pause after failed maintenance, which would probably fail again at once. */
const REST_AFTER_FAILURE_MS = 60_000;

export interface StoreParts {
  readonly identity: Identity;
  readonly writer: SnapshotWriter;
  readonly graphs: GraphTable;
  /** Number of the newest commit in `writer`. */
  readonly sequence: number;
  /** Number of the newest commit in a checkpoint; 0 if there is none. */
  readonly checkpointed: number;
  /** Bytes of memory that the snapshot may use. */
  readonly dataMax: number;
  /** Null keeps everything in memory. */
  readonly durability: Durability | null;
  /** Only if other processes write to the log of `durability`, too. */
  readonly shared?: SharedParts;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly board: CommitBoard;
  /** The patch files that the journal names. */
  readonly patches: PatchFiles;
  /** See `StoreSettings`. */
  readonly bigWriteRows: number;
  /** The change feed, with `sequence` as its newest commit. */
  readonly feed: ChangeFeedWriter;
}

/** The basis on which a large change is worked out. */
export interface BigWriteBasis {
  readonly snapshot: SnapshotDescriptor;
  /** The graphs that have changed since the snapshot. */
  readonly changedSince: ChangedGraphs;
  /** See `planGraphOperation`. */
  readonly blankPrefix: string;
  /** Name of the file for its rows; null for a store in memory, or with a shared log. */
  readonly patchName: string | null;
}

interface HeldBasis {
  readonly changedSince: ChangedGraphs;
  /** Until this is called, the ids of terms do not change. */
  readonly releaseIds: () => void;
}

/**
 * The error of a transaction that must wait because another one has exclusive access to a graph
 * that it changes.
 */
export const graphBlocked: ErrorData = {
  code: 'overloaded',
  message: 'Another transaction has exclusive access to the graph.',
  details: {},
};

/** The error of a prepared transaction that is no longer valid, and must be prepared again. */
export const outdated: ErrorData = {
  code: 'overloaded',
  message: 'The graphs of the transaction have changed.',
  details: {},
};

const noGraphs: ReadonlySet<string> = new Set();

export interface GroupResult {
  /** One per transaction of the group, in order. */
  readonly results: readonly Result<TransactionResult>[];
  /** Null if nothing changed. */
  readonly published: Published | null;
}

interface PlannedGroup {
  readonly results: Result<TransactionResult>[];
  /** The effects of the transactions that change something, in order. */
  readonly effects: PlannedEffect[];
}

/** A checkpoint that a pool thread is writing: the contents of its manifest. */
interface RunningCheckpoint extends CheckpointName {
  readonly quadCount: number;
  readonly graphs: readonly GraphChange[];
  readonly time?: number;
}

export class Store {
  readonly #parts: StoreParts;
  readonly #planner: Planner;
  readonly #committer: Committer;
  /** Only if the log is shared. */
  readonly shared: SharedCommitter | undefined;
  #snapshot: SnapshotDescriptor;
  #failure: ErrorData | undefined;
  #checkpoint: RunningCheckpoint | undefined;
  #compaction: Compaction | undefined;
  /**
   * Number of the newest commit for which a checkpoint was started. A second checkpoint of the same
   * commit is never made: the files of the first may be in use under their names, even if its
   * manifest could not be synced.
   */
  #checkpointBegun: number;
  /** Size of the newest checkpoint. */
  #checkpointBytes: number;
  /**
   * Whether something was rejected for lack of memory: then every deletion makes a new base run
   * worthwhile.
   */
  #isFull = false;
  /** No maintenance is requested before this time, in milliseconds since 1970. */
  #restUntil = 0;
  /** The bases of the large changes in progress. */
  readonly #bases = new Map<BigWriteBasis, HeldBasis>();
  #bigWriteCount = 0;

  constructor(parts: StoreParts) {
    const { writer, graphs, identity, sequence, board, dataMax } = parts;
    this.#parts = parts;
    this.#checkpointBegun = parts.checkpointed;
    this.#checkpointBytes = parts.durability?.checkpointBytes ?? 0;
    this.#snapshot = writer.publish(sequence);
    parts.feed.renumber(this.#snapshot.dictionary.generation);
    this.#planner = new Planner({
      writer,
      graphs,
      stateOf: (commit) => stateOf(identity, commit),
      now: () => this.#committer.now(),
      board,
      dataMax,
    });
    const onForeign = () => this.#outdateBigWrites();
    const committerParts = { ...parts, graphs: this.#planner.graphs, onForeign };
    this.shared = parts.shared && new SharedCommitter({ ...committerParts, ...parts.shared });
    this.#committer = this.shared ?? new LocalCommitter(committerParts);
  }

  /** Why writes are disabled; undefined while they are enabled. */
  get failure(): ErrorData | undefined {
    return this.#failure;
  }

  opened(): OpenedStore {
    const { identity, graphs } = this.#parts;
    return { identity, snapshot: this.#snapshot, graphs: [...graphs.entries()] };
  }

  /**
   * Commits the transactions of a group in order, each completely or not at all. The first one may
   * have been prepared; if it is not valid any more, it gets the error object `outdated` itself. A
   * transaction that changes a graph of `blocked` gets the error object `graphBlocked` itself.
   */
  async commit(group: readonly PreparedTransaction[], blocked = noGraphs): Promise<GroupResult> {
    const results: Result<TransactionResult>[] = [];
    const published: Published[] = [];
    while (results.length < group.length) {
      const part = await this.#commitPart(group.slice(results.length), blocked);
      results.push(...part.results);
      if (part.published) published.push(part.published);
    }
    return { results, published: inOne(published) };
  }

  /**
   * Commits the first ones, as many as fit into one append; the others have no result yet. No one
   * has a result if other processes committed first.
   */
  async #commitPart(
    group: readonly PreparedTransaction[],
    blocked: ReadonlySet<string>,
  ): Promise<GroupResult> {
    const rejection = this.#failure ?? this.#committer.rejection;
    if (rejection) return rejectAll(group, rejection);
    const { results, effects } = this.#plan(group, blocked);
    const outcome = await this.#committer.commit(effects).catch((error: unknown) => this.#failureOf(error));
    const published = this.#publishNew();
    if (outcome === 'committed') return { results, published };
    if (outcome === 'conflict') {
      this.shared?.noteReplan(results.length);
      return { results: [], published };
    }
    return { ...rejectAll(group.slice(0, results.length), outcome), published };
  }

  /**
   * Takes in what other processes have committed, if there are any, and passes on what is published
   * meanwhile. Must not be called during `commit`.
   */
  async receive(onPublished: (published: Published) => void): Promise<void> {
    const publish = () => {
      const published = this.#publishNew();
      if (published) onPublished(published);
    };
    try {
      await this.shared?.receive(publish);
    } catch (error) {
      this.#failureOf(error);
    }
    publish();
  }

  /**
   * Why a transaction would be rejected now, before its effects are worked out; undefined if it
   * would not be.
   */
  rejectionOf(transaction: Transaction, graphs?: readonly string[]): ErrorData | undefined {
    return this.#failure ?? this.#committer.rejection ?? this.#planner.rejectionOf(transaction, graphs);
  }

  /**
   * Returns the operation that pool threads should work out; undefined if the transaction is not
   * large enough.
   */
  bigOperation(transaction: Transaction): GraphOperation | undefined {
    const { graphs, bigWriteRows } = this.#parts;
    return bigOperation(transaction, (graph) => graphs.get(graph)?.size ?? 0, bigWriteRows);
  }

  /**
   * The place where other threads check whether a transaction is cancelled; undefined if it can't
   * be.
   */
  progressOf({ id }: Transaction): CommitProgress | undefined {
    return id === undefined ? undefined : { board: this.#parts.board.buffer, id };
  }

  /** Starts to record which graphs change, and keeps the ids of terms, until `endBigWrite`. */
  beginBigWrite(): BigWriteBasis {
    const { sequence } = this.#snapshot;
    const changedSince = new ChangedGraphs();
    // The letter in the middle is not a digit of base 36, and differs from the one in labels made
    // from a commit's own number. A change that is worked out in a later process starts at a later
    // commit, if this one was ever made durable.
    const blankPrefix = `b${sequence.toString(36)}Y${(++this.#bigWriteCount).toString(36)}X`;
    const patchName = this.#parts.durability && !this.shared ? newPatchName(sequence) : null;
    const basis = { snapshot: this.#snapshot, changedSince, blankPrefix, patchName };
    this.#bases.set(basis, { changedSince, releaseIds: this.#parts.writer.holdIds() });
    return basis;
  }

  endBigWrite(basis: BigWriteBasis): void {
    this.#bases.get(basis)?.releaseIds();
    this.#bases.delete(basis);
  }

  /**
   * Lets all large writes in progress be worked out again: their blank nodes may have labels that
   * another process has used, and terms may get other ids.
   */
  #outdateBigWrites(): void {
    for (const { changedSince, releaseIds } of this.#bases.values()) {
      changedSince.addAll();
      releaseIds();
    }
  }

  /** Throws `store-full` if there is no room for this many more quads with new terms. */
  requireRoomFor(quads: number, newTerms: TermList): void {
    const { writer, dataMax } = this.#parts;
    try {
      if (quads > 0) requireRoom(writer, quads, dataMax);
      requireRoomForTerms(writer, newTerms);
    } catch (error) {
      this.#isFull = true;
      throw error;
    }
  }

  /**
   * Adds new terms for at most this many milliseconds; returns whether all have been added. Must
   * not be called during `commit`.
   */
  takeTerms(terms: TermImport, milliseconds: number): boolean {
    const { writer } = this.#parts;
    const done = terms.advance(writer.dictionary, milliseconds);
    // Published terms are kept when a group is discarded.
    this.#snapshot = writer.publish(this.#snapshot.sequence);
    return done;
  }

  /** The newest snapshot, including terms that were added since the last commit. */
  get snapshot(): SnapshotDescriptor {
    return this.#snapshot;
  }

  /** Removes the patch file of a failed transaction. */
  async removePatch(name: string): Promise<void> {
    const { durability } = this.#parts;
    // After a failure of the journal it is unknown whether a record names the file.
    if (durability && !this.#failure) await removeIfThere(durability.disk, name);
  }

  /**
   * Returns the maintenance that a pool thread should do now; called again when that has ended.
   * Passes on what is published before. Must not be called during `commit`. Throws
   * `writes-disabled`.
   */
  async wantedMaintenance(
    onPublished: (published: Published) => void = () => {},
  ): Promise<Maintenance | undefined> {
    const { durability, writer, now } = this.#parts;
    if (now() < this.#restUntil) return undefined;
    if (durability && this.shared && this.#needsCheckpoint(durability)) {
      await this.#refreshCheckpoint(this.shared);
      if (now() < this.#restUntil) return undefined;
    }
    if (durability && this.shared && (this.#isFull || this.#needsCheckpoint(durability))) {
      await this.#dropUnusedTerms(this.shared, onPublished);
    }
    if (durability && this.#needsCheckpoint(durability)) return this.#beginCheckpoint(durability.log);
    if (!writer.needsCompaction && !(this.#isFull && writer.canShrink)) return undefined;
    const compaction = writer.beginCompaction();
    this.#compaction = compaction;
    this.#isFull = false;
    this.#snapshot = compaction.snapshot;
    return { kind: 'compact', snapshot: compaction.snapshot, compaction };
  }

  /**
   * Another process may have written a checkpoint before this one became the writer. What the
   * processes share may be refused, as when its copies were changed: the checkpoint then fails for
   * the same reason, and that is reported.
   */
  async #refreshCheckpoint(shared: SharedCommitter): Promise<void> {
    try {
      await shared.refreshCheckpoint();
    } catch (error) {
      if (toErrorData(error).code !== 'unavailable') return;
      this.#restUntil = this.#parts.now() + REST_AFTER_FAILURE_MS;
    }
  }

  /** All processes of a cluster must do that at the same commit, so pool threads can't. */
  async #dropUnusedTerms(
    shared: SharedCommitter,
    onPublished: (published: Published) => void,
  ): Promise<void> {
    if (this.#bases.size > 0) return;
    try {
      await shared.dropUnusedTerms();
    } catch (error) {
      this.#failureOf(error);
    }
    const published = this.#publishNew();
    if (published) onPublished(published);
  }

  /** The total size of the journal and of the patch files that it names. */
  #journalBytes(log: CommitLog): number {
    return log.bytes + this.#parts.patches.bytes;
  }

  #needsCheckpoint({ log, journalMax }: Durability): boolean {
    if (this.#failure || !this.#committer.mayCheckpoint) return false;
    if (this.#snapshot.sequence <= this.#checkpointBegun) return false;
    return log.bytes + this.#parts.patches.weight > journalLimit(journalMax, this.#checkpointBytes);
  }

  /**
   * Installs the result of a pool thread; returns the new snapshot if there is one. Commits may
   * continue while a checkpoint is installed.
   */
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

  /** Disables writes after an internal error. */
  giveUp(error: unknown): ErrorData {
    this.#failure ??= toErrorData(storeFailed(error));
    return this.#failure;
  }

  async close(): Promise<void> {
    await this.#parts.durability?.log.close();
  }

  /**
   * Plans the transactions of a group, or the first ones if all are too much. One that can't be
   * planned is rejected, and the others are planned again without it.
   */
  #plan(group: readonly PreparedTransaction[], blocked: ReadonlySet<string>): PlannedGroup {
    const rejected = new Map<Transaction, ErrorData>();
    for (;;) {
      const planned = this.#planWithout(group, rejected, blocked);
      if (!('failed' in planned)) return planned;
      this.#discard();
      if (planned.error.code === 'store-full') this.#isFull = true;
      rejected.set(planned.failed, planned.error);
    }
  }

  #planWithout(
    group: readonly PreparedTransaction[],
    rejected: ReadonlyMap<Transaction, ErrorData>,
    blocked: ReadonlySet<string>,
  ): PlannedGroup | { readonly failed: Transaction; readonly error: ErrorData } {
    const results: Result<TransactionResult>[] = [];
    const effects: PlannedEffect[] = [];
    let bytes = 0;
    for (const transaction of group) {
      if (bytes > APPEND_BYTES) break;
      const error = rejected.get(transaction);
      if (error) {
        results.push({ ok: false, error });
        continue;
      }
      if (transaction.prepared && !isValid(transaction.prepared)) {
        results.push({ ok: false, error: outdated });
        continue;
      }
      try {
        const next = (effects.at(-1)?.sequence ?? this.#snapshot.sequence) + 1;
        const { result, effect } = this.#planner.plan(transaction, next);
        if (effect && touches(effect.graphs, blocked)) return { failed: transaction, error: graphBlocked };
        results.push(result);
        if (effect) effects.push(effect);
        bytes += effect?.patchBytes ?? 0;
        // Others could not be planned on it, because the working state does not have its rows.
        if (effect?.encoded) break;
      } catch (cause) {
        return { failed: transaction, error: toErrorData(asStoreFull(cause)) };
      }
    }
    const withdrawn = group
      .slice(0, results.length)
      .find((each) => !rejected.has(each) && !this.#decide(each));
    return withdrawn ? { failed: withdrawn, error: cancelled() } : { results, effects };
  }

  /**
   * Rules out the cancellation of a planned transaction, whatever happens to the rest of its group.
   * Returns false if it was cancelled before.
   */
  #decide({ id }: Transaction): boolean {
    return id === undefined || this.#parts.board.commit(id);
  }

  /** Publishes what was committed since the last time; null if that is nothing. */
  #publishNew(): Published | null {
    const { sequence } = this.#committer;
    return sequence > this.#snapshot.sequence ? this.#publish(sequence) : null;
  }

  #publish(sequence: number): Published {
    this.#snapshot = this.#parts.writer.publish(sequence);
    const graphs = this.#planner.graphs.publish();
    for (const { changedSince } of this.#bases.values()) {
      for (const [name] of graphs) changedSince.add(name);
    }
    return { snapshot: this.#snapshot, graphs };
  }

  /**
   * Records an error of the journal. Every error except `writes-disabled` means that nothing was
   * written.
   */
  #failureOf(error: unknown): ErrorData {
    const data = toErrorData(error);
    if (data.code !== 'writes-disabled') return data;
    const isFull = error instanceof JournalError && error.details.failure === 'no-space';
    this.#failure = isFull ? { ...data, code: 'store-full' } : data;
    return this.#failure;
  }

  /** Restores the published state. */
  #discard(): void {
    this.#parts.writer.discard();
    this.#planner.graphs.discard();
  }

  /**
   * Starts a checkpoint. The journal continues in a new file, so that the older ones can be removed
   * when the checkpoint exists.
   */
  async #beginCheckpoint(log: CommitLog): Promise<Maintenance | undefined> {
    try {
      await log.beginCheckpoint();
    } catch (error) {
      const data = this.#failureOf(error);
      if (data.code !== 'unavailable') throw fromErrorData(data);
      this.#restUntil = this.#parts.now() + REST_AFTER_FAILURE_MS;
      return undefined;
    }
    const { sequence, quadCount } = this.#snapshot;
    this.#checkpointBegun = sequence;
    const name = newCheckpointName(sequence);
    const time = this.shared && { time: this.shared.newest };
    this.#checkpoint = { ...name, quadCount, graphs: [...this.#parts.graphs.entries()], ...time };
    const { imageFile } = checkpointFiles(name);
    const journalBytes = this.#journalBytes(log);
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
    await this.#committer.checkpointed(checkpoint);
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
   * A failed installation may leave the working state with ids of two generations, so writes are
   * then disabled.
   */
  #install(compaction: Compaction, compacted: Compacted): boolean {
    try {
      return this.#parts.writer.install(compaction, compacted);
    } catch (error) {
      throw fromErrorData(this.giveUp(error));
    }
  }
}

/** Merges several publications: the newest snapshot with all rows that changed. */
function inOne(published: readonly Published[]): Published | null {
  const newest = published.at(-1);
  return newest ? { snapshot: newest.snapshot, graphs: published.flatMap(({ graphs }) => graphs) } : null;
}

function touches(graphs: Iterable<string>, blocked: ReadonlySet<string>): boolean {
  if (blocked.size === 0) return false;
  for (const graph of graphs) if (blocked.has(graph)) return true;
  return false;
}

function rejectAll(group: readonly Transaction[], error: ErrorData): GroupResult {
  return { results: group.map(() => ({ ok: false, error })), published: null };
}
