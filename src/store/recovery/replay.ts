import { setImmediate as turn } from 'node:timers/promises';
import { AppError } from '../../errors.ts';
import type { Disk } from '../../journal/disk/disk.ts';
import type { EncodedChanges } from '../../pool/change-messages.ts';
import type { TermId } from '../../rdf/model/term-id.ts';
import { DeltaRun } from '../../snapshot/runs/delta-run.ts';
import { QuadSet } from '../../snapshot/runs/quad-set.ts';
import type { Changes } from '../../snapshot/write/changes.ts';
import type { SnapshotWriter } from '../../snapshot/write/snapshot-writer.ts';
import { isCutName } from '../graphs/blank-graphs.ts';
import { createGraph, graphName, growGraphs, reduceGraph, type Stamp } from '../graphs/effects.ts';
import type { WorkingGraphs } from '../graphs/working-graphs.ts';
import { patchBlocks, readPatchFile } from '../patch/file.ts';
import type { PatchFiles } from '../patch/file-set.ts';
import { decodePatch, type PatchHeader, type PatchReference, type PatchVisitor } from '../patch/patch.ts';
import type { Bounds } from '../patch/quad-scanner.ts';
import type { RowBlock } from '../patch/row-block.ts';

/** Rows collected before they are applied together. */
const BATCH_ROWS = 1 << 16;
/** Terms that are added at once: about 10 ms. */
const SLICE_TERMS = 1 << 14;

/** Files that records name are read from `disk`, and added to `patches`. */
interface RowFiles {
  readonly disk: Disk;
  readonly patches: PatchFiles;
}

/** What records are applied to. */
export interface ReplayTarget {
  readonly writer: SnapshotWriter;
  readonly graphs: WorkingGraphs;
  /** Applies rows to the working state of `writer`. */
  readonly apply: (changes: Changes) => void;
  /** The files that records may name; by default none. */
  readonly files?: RowFiles;
  /** Receives each row in the order of the records. */
  readonly digest?: Digest;
}

/** The part of a digest of the data that is used here. */
interface Digest {
  add(s: TermId, p: TermId, o: TermId, g: TermId): void;
  remove(s: TermId, p: TermId, o: TermId, g: TermId): void;
  /** Rows of four ids. */
  addRows(rows: Uint32Array): void;
  removeRows(rows: Uint32Array): void;
}

/**
 * Applies the journal's records to the snapshot, as `Store` did the first time. It collects the
 * rows of many records, because large steps cost much less per row than small ones. Terms still get
 * their ids in the order of the rows.
 */
export class Replay implements PatchVisitor {
  readonly #target: ReplayTarget;
  #additions = new QuadSet();
  #removals = new QuadSet();
  #growth = new Map<TermId, number>();
  #header: PatchHeader = { time: 0, created: [], dropped: [], reduced: [] };

  constructor(target: ReplayTarget) {
    this.#target = target;
  }

  /** Time of the newest record, in milliseconds since 1970; 0 before. */
  get time(): number {
    return this.#header.time;
  }

  /** Whether unused terms are dropped after the newest record, if the log is shared. */
  get renumbers(): boolean {
    return this.#header.renumbered === true;
  }

  /**
   * Takes one record's payload, which must not change until then. While many rows are taken the
   * event loop goes on. Throws `data-damaged` if it is not a patch, or if the file that it names is
   * damaged.
   */
  take(sequence: number, payload: Uint8Array): Promise<void> | void {
    this.#growth = new Map();
    const rows = decodePatch(payload, this);
    if (!rows) return this.#endRecord(sequence);
    if (!('name' in rows)) return this.#takeBlocks(sequence, rows);
    const { files } = this.#target;
    if (!files) throw new AppError('data-damaged', `Record ${sequence} names a file, ${rows.name}`);
    return this.#takeFile(sequence, rows, files);
  }

  /**
   * Takes a record that this process has encoded itself, with the same effect as its payload: terms
   * get their ids in the order of the rows. Usually these ids continue those that exist, in the
   * order of the provisional ones: then the run only has to be moved. Returns the changes.
   */
  async takeEncoded(sequence: number, header: PatchHeader, encoded: EncodedChanges): Promise<Changes> {
    const { knownTerms, newTerms, removals: removed } = encoded;
    this.flush();
    this.#growth = new Map();
    this.#header = header;
    const { writer, apply } = this.#target;
    const ids = await internInSlices(writer, newTerms.bytes, newTerms.ends);
    const rows = encoded.rows.map((id) => (id > knownTerms ? ids[id - knownTerms - 1]! : id));
    const changes = { removals: rows.subarray(0, 4 * removed), additions: rows.subarray(4 * removed) };
    this.#countChanges(changes);
    await turn();
    const run = encoded.run && movedRun(encoded.run, knownTerms, ids);
    if (run) writer.addRun(run, rows.length / 4 - 2 * removed);
    else apply(changes);
    this.#endRecord(sequence);
    return changes;
  }

  async #takeFile(sequence: number, reference: PatchReference, { disk, patches }: RowFiles): Promise<void> {
    this.flush();
    if (reference.rows === undefined) await readPatchFile(disk, reference, this);
    else for await (const block of patchBlocks(disk, reference)) await this.#takeBlock(block);
    patches.add(reference, sequence);
    this.#endRecord(sequence);
  }

  async #takeBlocks(sequence: number, blocks: Iterable<RowBlock>): Promise<void> {
    this.flush();
    for (const block of blocks) await this.#takeBlock(block);
    this.#endRecord(sequence);
  }

  #endRecord(sequence: number): void {
    const stamp = { sequence, modified: this.#header.time };
    this.#accountGraphs(stamp);
    if (this.#additions.size + this.#removals.size > BATCH_ROWS) this.flush();
  }

  header(header: PatchHeader): void {
    this.#header = header;
  }

  add(bytes: Uint8Array, bounds: Bounds): void {
    const { writer, digest } = this.#target;
    const { dictionary } = writer;
    const id = (column: number) => dictionary.intern(bytes, bounds[2 * column]!, bounds[2 * column + 1]!);
    const quad = [id(0), id(1), id(2), id(3)] as const;
    if (this.#removals.has(...quad)) this.flush();
    this.#additions.add(...quad);
    digest?.add(...quad);
    this.#count(quad[3], 1);
  }

  remove(bytes: Uint8Array, bounds: Bounds): void {
    const { writer, digest } = this.#target;
    const { dictionary } = writer;
    const id = (column: number) => dictionary.find(bytes, bounds[2 * column]!, bounds[2 * column + 1]!);
    const quad = [id(0), id(1), id(2), id(3)] as const;
    if (this.#additions.has(...quad)) this.flush();
    this.#removals.add(...quad);
    digest?.remove(...quad);
    this.#count(quad[3], -1);
  }

  /** Applies the collected rows. */
  flush(): void {
    const changes = { additions: this.#additions.rows(), removals: this.#removals.rows() };
    this.#additions = new QuadSet();
    this.#removals = new QuadSet();
    this.#target.apply(changes);
  }

  async #takeBlock({ bytes, offsets, removals, additions }: RowBlock): Promise<void> {
    const ids = await internInSlices(this.#target.writer, bytes, offsets);
    for (const rows of [removals, additions]) {
      for (let i = 0; i < rows.length; i++) rows[i] = ids[rows[i]!]!;
    }
    this.#countChanges({ removals, additions });
    await turn();
    this.#target.apply({ removals, additions });
  }

  #countChanges({ removals, additions }: Changes): void {
    this.#countRows(removals, -1);
    this.#countRows(additions, 1);
    const { digest } = this.#target;
    digest?.removeRows(removals);
    digest?.addRows(additions);
  }

  #countRows(rows: Uint32Array, sign: number): void {
    for (let i = 3; i < rows.length; ) {
      const graph = rows[i]!;
      const from = i;
      while (i < rows.length && rows[i] === graph) i += 4;
      this.#count(graph, (sign * (i - from)) / 4);
    }
  }

  #count(graph: TermId, by: number): void {
    this.#growth.set(graph, (this.#growth.get(graph) ?? 0) + by);
  }

  #accountGraphs(stamp: Stamp): void {
    const { writer, graphs } = this.#target;
    const { terms } = writer.reader();
    const growth = new Map([...this.#growth].map(([id, count]) => [graphName(terms, id), count]));
    growGraphs(graphs, growth, stamp);
    const { created, reduced, dropped } = this.#header;
    for (const name of wholeNames(created)) createGraph(graphs, name, stamp);
    for (const name of wholeNames(reduced)) reduceGraph(graphs, name, stamp);
    for (const name of wholeNames(dropped)) graphs.set(name, null);
  }
}

/**
 * Returns the ids of the terms of a table, see `internAll`. The event loop goes on between slices:
 * heartbeats of connections are answered.
 */
async function internInSlices(
  { dictionary }: SnapshotWriter,
  bytes: Uint8Array,
  offsets: Uint32Array,
): Promise<Uint32Array> {
  const ids = new Uint32Array(offsets.length - 1);
  for (let from = 0; from < ids.length; from += SLICE_TERMS) {
    const to = Math.min(from + SLICE_TERMS, ids.length);
    ids.set(dictionary.internAll(bytes, offsets.subarray(from, to + 1)), from);
    await turn();
  }
  return ids;
}

/**
 * Gives the terms of a run that are greater than `known` their final ids. Returns undefined if
 * these have another order, so that the run must be sorted again: other writes have added some of
 * them.
 */
function movedRun(run: SharedArrayBuffer, known: TermId, ids: Uint32Array): SharedArrayBuffer | undefined {
  const [first = known + 1] = ids;
  if (first <= known || ids.some((id, i) => id !== first + i)) return undefined;
  new DeltaRun(run).moveIds(known, first - known - 1);
  return run;
}

/** Leaves out cut names: the growth counted during replay creates the rows of those graphs. */
function wholeNames(names: readonly string[]): string[] {
  return names.filter((name) => !isCutName(name));
}
