/**
 * The store: Oxigraph as the record, the journal that makes it durable, the snapshot that shares it. One writer; calls
 * must not overlap. A commit is a list of steps:
 *
 *     plan     preconditions, effective additions and removals, on the snapshot's integers
 *     append   encode as RDF Patch, write, one sync for the whole group
 *     apply    to the Oxigraph store
 *     publish  the snapshot and the graphs' rows; then the caller acknowledges
 *
 * Nothing is applied, published or acknowledged that is not on disk. When the journal fails, what was planned is
 * discarded and writes are off until the next start, for nobody knows what the disk holds; reads go on.
 */
import { type ErrorData, fromErrorData, type Result, toErrorData } from '../errors.ts';
import type { Disk } from '../journal/disk.ts';
import type { Journal } from '../journal/journal.ts';
import type { Lock } from '../journal/lock.ts';
import type { SnapshotDescriptor } from '../snapshot/descriptor.ts';
import type { GraphChange, GraphTable } from '../snapshot/graph-table.ts';
import type { SnapshotWriter } from '../snapshot/writer.ts';
import { checkpointFiles, installCheckpoint } from './checkpoint.ts';
import { type Identity, stateOf } from './identity.ts';
import type { Maintenance, MaintenanceOutcome, OpenedStore, Published } from './messages.ts';
import type { OxigraphRecord } from './oxigraph-record.ts';
import { encodePatch } from './patch.ts';
import { type PlannedEffect, Planner } from './planner.ts';
import type { Transaction, TransactionResult } from './transaction.ts';

/** Where a durable store keeps its data. */
export interface Durability {
  readonly disk: Disk;
  readonly journal: Journal;
  readonly lock: Lock;
  /** Bytes of journal after which a checkpoint is wanted. */
  readonly journalMax: number;
}

export interface StoreParts {
  readonly identity: Identity;
  readonly record: OxigraphRecord;
  readonly writer: SnapshotWriter;
  readonly graphs: GraphTable;
  /** Number of the newest commit in `writer` and `record`. */
  readonly sequence: number;
  /** Number of the newest commit in a checkpoint; 0 when there is none. */
  readonly checkpointed: number;
  /** Null keeps everything in memory. */
  readonly durability: Durability | null;
  /** Milliseconds since 1970. */
  readonly now: () => number;
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
  #compactedFrom: SnapshotDescriptor | undefined;
  /** Number of the newest commit in a checkpoint. */
  #checkpointed: number;

  constructor(parts: StoreParts) {
    const { writer, graphs, identity, now, sequence } = parts;
    this.#parts = parts;
    this.#checkpointed = parts.checkpointed;
    this.#snapshot = writer.publish(sequence);
    this.#planner = new Planner({ writer, graphs, stateOf: (commit) => stateOf(identity, commit), now });
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
    if (this.#fault) return refuseAll(group, this.#fault);
    const { results, effects } = this.#plan(group);
    if (effects.length === 0) return { results, published: null };
    try {
      await this.#append(effects);
    } catch (error) {
      return refuseAll(group, this.#disableWrites(error));
    }
    this.#apply(effects);
    return { results, published: this.#publish(effects.at(-1)!.sequence) };
  }

  /** What a pool thread should do now; asked for again when that has ended. */
  async wantedMaintenance(): Promise<Maintenance | undefined> {
    const { durability, writer } = this.#parts;
    if (durability && !this.#fault && durability.journal.bytes > durability.journalMax) {
      if (this.#snapshot.sequence > this.#checkpointed) return this.#beginCheckpoint(durability.journal);
    }
    if (!writer.needsCompaction) return undefined;
    this.#compactedFrom = writer.beginCompaction();
    this.#snapshot = this.#compactedFrom;
    return { kind: 'compact', snapshot: this.#compactedFrom };
  }

  /** Takes over what a pool thread made; a new snapshot where that changed it. */
  async endMaintenance(outcome: MaintenanceOutcome): Promise<Published | null> {
    if (outcome.kind === 'compact') return this.#endCompaction(outcome.result);
    const checkpoint = this.#checkpoint;
    this.#checkpoint = undefined;
    if (!outcome.result.ok) throw fromErrorData(outcome.result.error);
    const { durability } = this.#parts;
    if (!checkpoint || !durability) return null;
    await installCheckpoint(durability.disk, { ...checkpoint, ...outcome.result.value });
    this.#checkpointed = checkpoint.sequence;
    await durability.journal.removeThrough(checkpoint.sequence);
    return null;
  }

  /** The record's quads as N-Quads, to be held against the snapshot's. */
  dumpRecord(): string {
    return this.#parts.record.dump();
  }

  async close(): Promise<void> {
    await this.#parts.durability?.journal.close();
    await this.#parts.durability?.lock.release();
  }

  /**
   * Plans all transactions of a group but those in `refused`. One that can't be planned is refused in turn, and the
   * others are planned anew, as though it had not been there.
   */
  #plan(group: readonly Transaction[], refused = new Map<number, ErrorData>()): PlannedGroup {
    const results: Result<TransactionResult>[] = [];
    const effects: PlannedEffect[] = [];
    for (const [index, transaction] of group.entries()) {
      const error = refused.get(index);
      if (error) {
        results.push({ ok: false, error });
        continue;
      }
      try {
        const next = (effects.at(-1)?.sequence ?? this.#snapshot.sequence) + 1;
        const { result, effect } = this.#planner.plan(transaction, next);
        results.push(result);
        if (effect) effects.push(effect);
      } catch (cause) {
        this.#discard();
        return this.#plan(group, refused.set(index, toErrorData(cause)));
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

  /** The group is durable by now: a record that can't take it ends writing, but does not undo the commit. */
  #apply(effects: readonly PlannedEffect[]): void {
    const { record, writer } = this.#parts;
    try {
      for (const { steps } of effects) {
        for (const step of steps) record.change(step, writer.reader());
      }
    } catch (error) {
      this.#fault = {
        code: 'store-full',
        message: `Oxigraph has failed (${toErrorData(error).message}): writes are off until a restart.`,
        details: {},
      };
    }
  }

  #publish(sequence: number): Published {
    this.#snapshot = this.#parts.writer.publish(sequence);
    return { snapshot: this.#snapshot, graphs: this.#planner.graphs.publish() };
  }

  #disableWrites(error: unknown): ErrorData {
    this.#discard();
    this.#fault = toErrorData(error);
    return this.#fault;
  }

  /** Back to what is published. */
  #discard(): void {
    this.#parts.writer.discard();
    this.#planner.graphs.discard();
  }

  /** From here on the journal goes to a new file, so that the older ones can go when the checkpoint exists. */
  async #beginCheckpoint(journal: Journal): Promise<Maintenance> {
    await journal.rotate();
    const { sequence, quadCount } = this.#snapshot;
    this.#checkpoint = { sequence, quadCount, graphs: [...this.#parts.graphs.entries()] };
    const { quadsFile, imageFile } = checkpointFiles(sequence);
    return { kind: 'checkpoint', snapshot: this.#snapshot, directory: '', quadsFile, imageFile };
  }

  #endCompaction(result: Result<SharedArrayBuffer>): Published | null {
    const { writer } = this.#parts;
    const builtFrom = this.#compactedFrom;
    if (!result.ok) {
      writer.abandonCompaction();
      throw fromErrorData(result.error);
    }
    if (!builtFrom || !writer.installBase(result.value, builtFrom)) return null;
    this.#snapshot = writer.descriptor;
    return { snapshot: this.#snapshot, graphs: [] };
  }
}

function refuseAll(group: readonly Transaction[], error: ErrorData): GroupResult {
  return { results: group.map(() => ({ ok: false, error })), published: null };
}
