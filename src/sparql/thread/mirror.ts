/**
 * Oxigraph's store with the data of a snapshot, or with the graphs that its reader shows. It
 * follows the commits by the change feed.
 *
 * Each graph is a named graph of the same name. The store's default graph contains the quads of the
 * server's own graph, which queries see as a part of all graphs but can't name. Once a triple is in
 * several graphs, it contains the merge of all graphs instead.
 */

import { NO_TERM, type TermId } from '../../rdf/model/term-id.ts';
import { hasBlankNode } from '../../rdf/model/triple-term.ts';
import { type LimitedOxigraph, limitedOxigraph } from '../../rdf/oxigraph/limited.ts';
import { addQuad, deleteQuad } from '../../rdf/oxigraph/terms.ts';
import { ChangeFeedReader } from '../../snapshot/feed/change-feed.ts';
import type { SnapshotReader } from '../../snapshot/read/reader.ts';
import { joinedRows } from '../../snapshot/runs/joined-rows.ts';
import { ID_MASK, REMOVED } from '../../snapshot/runs/order.ts';
import {
  fillStore,
  hasRespelledRepeats,
  learnSpellings,
  type OnProgress,
  SLICE_BYTES,
} from '../engine/fill.ts';
import type { EngineSettings } from '../engine/settings.ts';
import { isIn, Spellings } from '../engine/spellings.ts';
import type { Oxigraph, SparqlInstance } from '../instance.ts';
import { type MemoryImage, restoreImage, takeImage } from './memory-image.ts';

type Store = import('oxigraph').Store;

/** From this many quads on, the loader adds them in one call; fewer are added one by one. */
const FEW_ROWS = 64;
const ROW_WORDS = 4;

interface MirrorOptions extends Pick<EngineSettings, 'maxBytes' | 'unnamedGraph'> {
  /** Called while data are loaded. */
  readonly onProgress?: OnProgress;
  /** An unused instance; by default a new one is made. */
  readonly limited?: LimitedOxigraph | undefined;
}

interface MirrorState {
  readonly limited: LimitedOxigraph;
  readonly store: Store;
  readonly isMerged: boolean;
  readonly spellings: Spellings;
  readonly onProgress: OnProgress;
}

const unwatched: OnProgress = () => {};

export interface MirrorImage {
  readonly memory: MemoryImage;
  readonly sequence: number;
  readonly isMerged: boolean;
  /** `Spellings.bytesFor`. */
  readonly spellings: SharedArrayBuffer;
}

export class Mirror implements SparqlInstance {
  readonly limited: LimitedOxigraph;
  readonly store: Store;
  readonly known: Spellings;
  /** The server's own graph, which queries can't name. */
  readonly unnamedGraph: string;
  #reader: SnapshotReader;
  #isMerged: boolean;
  readonly #onProgress: OnProgress;

  private constructor(reader: SnapshotReader, state: MirrorState, unnamedGraph: string) {
    this.limited = state.limited;
    this.store = state.store;
    this.known = state.spellings;
    this.#reader = reader;
    this.#isMerged = state.isMerged;
    this.#onProgress = state.onProgress;
    this.unnamedGraph = unnamedGraph;
  }

  /** Creates a mirror with the data of a snapshot. */
  static fill(reader: SnapshotReader, options: MirrorOptions): Mirror {
    const { maxBytes, unnamedGraph, onProgress = unwatched, limited = limitedOxigraph(maxBytes) } = options;
    const { oxigraph } = limited;
    const store = new oxigraph.Store();
    const unnamed = reader.find(`<${unnamedGraph}>`);
    const text = (id: TermId) => reader.text(id);
    const filling = { oxigraph, store, reader, text, unnamed, onProgress: makingRoom(limited, onProgress) };
    const hasRepeated = fillStore({ ...filling, merges: false }, reader.visibleQuads());
    const spellings = new Spellings();
    learnSpellings(oxigraph, reader, spellings, onProgress);
    const state = { limited, store, isMerged: false, spellings, onProgress };
    const mirror = new Mirror(reader, state, unnamedGraph);
    if (hasRepeated || hasRespelledRepeats(reader, spellings, onProgress)) mirror.#merge();
    return mirror;
  }

  /**
   * Creates a mirror with the data of a snapshot from an earlier image. Returns undefined if that
   * is not possible.
   */
  static restore(
    image: MirrorImage,
    reader: SnapshotReader,
    feed: SharedArrayBuffer,
    options: MirrorOptions,
  ): Mirror | undefined {
    const { maxBytes, unnamedGraph, onProgress = unwatched, limited = limitedOxigraph(maxBytes) } = options;
    const { isMerged, sequence } = image;
    // The feed is read first: if it has lost commits, copying the memory would be useless.
    const commits = commitsSince(sequence, reader, feed);
    const restored = commits && restoreImage(image.memory, maxBytes, limited);
    if (!restored) return undefined;
    const spellings = Spellings.of(image.spellings);
    const mirror = new Mirror(reader, { ...restored, isMerged, spellings, onProgress }, unnamedGraph);
    mirror.#takeAll(commits, reader);
    return mirror;
  }

  /**
   * Copies the state, so that other instances can be restored from it. Call it before the first
   * query. Returns undefined if the state can't be copied.
   */
  image(): MirrorImage | undefined {
    const memory = takeImage(this.limited, this.store);
    const { sequence, isMerged } = this;
    return memory && { memory, sequence, isMerged, spellings: this.known.bytesFor(this.#reader) };
  }

  get oxigraph(): Oxigraph {
    return this.limited.oxigraph;
  }

  get reader(): SnapshotReader {
    return this.#reader;
  }

  get sequence(): number {
    return this.#reader.sequence;
  }

  /** Bytes of its memory. */
  get bytes(): number {
    return this.limited.memory.buffer.byteLength;
  }

  get isMerged(): boolean {
    return this.#isMerged;
  }

  spellings(term: string): readonly string[] {
    return this.known.written(term).filter((written) => isIn(written, this.#reader));
  }

  /** Returns the spelling in the data of a term from Oxigraph. */
  spell(term: string): string {
    return this.known.restore(term, this.#reader);
  }

  /**
   * Applies all commits up to that of a snapshot. Returns false if the feed no longer has them;
   * then the mirror can't be used any more.
   */
  follow(reader: SnapshotReader, feed: SharedArrayBuffer): boolean {
    const commits = commitsSince(this.sequence, reader, feed);
    if (commits) this.#takeAll(commits, reader);
    return commits !== undefined;
  }

  #takeAll(commits: readonly Uint32Array[], reader: SnapshotReader): void {
    this.#reader = reader;
    // Joined, because a call costs many times as much as a row.
    const rows = joinedRows(commits);
    this.#take(rows);
    if (!this.#isMerged && this.#repeats(rows)) this.#merge();
    this.known.prune(reader);
  }

  get #unnamed(): TermId {
    return this.#reader.find(`<${this.unnamedGraph}>`);
  }

  /** Puts all triples into the default graph. */
  #merge(): void {
    const { oxigraph, store } = this;
    const reader = this.#reader;
    const text = (id: TermId) => reader.text(id);
    const onProgress = makingRoom(this.limited, this.#onProgress);
    const filling = { oxigraph, store, reader, text, unnamed: this.#unnamed, onProgress };
    fillStore({ ...filling, merges: true }, reader.visibleQuads());
    this.#isMerged = true;
  }

  /** Whether a row added a triple that is also in another graph. */
  #repeats(rows: Uint32Array): boolean {
    for (let at = 0; at < rows.length; at += ROW_WORDS) {
      const graph = rows[at + 3]!;
      if (graph >= REMOVED || !this.#reader.sees(graph)) continue;
      if (this.#isInSeveral(rows[at]!, rows[at + 1]!, rows[at + 2]!)) return true;
    }
    return false;
  }

  #isInSeveral(subject: TermId, predicate: TermId, object: TermId): boolean {
    if (this.known.isEmpty) return this.#reader.graphsOf(subject, predicate, object).length > 1;
    const graphs = this.#sameFor(object).flatMap((id) => this.#reader.graphsOf(subject, predicate, id));
    return new Set(graphs).size > 1;
  }

  /**
   * Applies rows in slices, because the texts of a whole commit may exceed the memory of a thread.
   */
  #take(rows: Uint32Array): void {
    let from = 0;
    let bytes = 0;
    for (let at = 0; at < rows.length; at += ROW_WORDS) {
      const more = this.#bytesOf(rows, at);
      if (bytes + more > SLICE_BYTES && at > from) {
        this.#takeSlice(rows.subarray(from, at));
        from = at;
        bytes = 0;
      }
      bytes += more;
    }
    this.#takeSlice(rows.subarray(from));
  }

  #bytesOf(rows: Uint32Array, row: number): number {
    const { terms } = this.#reader;
    let bytes = 0;
    for (let at = row; at < row + ROW_WORDS; at++) {
      const id = rows[at]! & ID_MASK;
      bytes += terms.end(id) - terms.start(id);
    }
    return bytes;
  }

  #takeSlice(rows: Uint32Array): void {
    this.#onProgress();
    const reader = this.#reader;
    const objects = new Set<TermId>();
    for (let at = 0; at < rows.length; at += ROW_WORDS) {
      if (reader.sees(rows[at + 3]! & ID_MASK)) objects.add(rows[at + 2]!);
    }
    this.known.learn(
      this.oxigraph,
      Array.from(objects, (object) => reader.text(object)),
    );
    const unnamed = this.#unnamed;
    let additions: string[][] = [];
    for (let at = 0; at < rows.length; at += ROW_WORDS) {
      const graph = rows[at + 3]! & ID_MASK;
      if (!reader.sees(graph)) continue;
      const row = rows.subarray(at, at + ROW_WORDS);
      const place = graph === unnamed ? NO_TERM : graph;
      if (row[3]! < REMOVED) {
        additions.push(...this.#quadsOf(row, place));
      } else {
        this.#add(additions);
        additions = [];
        this.#remove(row, place);
      }
    }
    this.#add(additions);
  }

  /** Returns the quads of the store that represent a row. */
  #quadsOf(row: Uint32Array, place: TermId): string[][] {
    const triple = Array.from(row.subarray(0, 3), (id) => this.#reader.text(id));
    if (place === NO_TERM) return [triple];
    const quad = [...triple, this.#reader.text(place)];
    return this.#isMerged ? [quad, triple] : [quad];
  }

  #add(quads: readonly string[][]): void {
    const { oxigraph, store } = this;
    const labelled = quads.length < FEW_ROWS ? quads : quads.filter(isLabelled);
    for (const quad of labelled) addQuad(oxigraph, store, quad);
    if (labelled === quads) return;
    const lines = quads.filter((quad) => !isLabelled(quad)).map((quad) => `${quad.join(' ')} .\n`);
    store.load(lines.join(''), { format: 'application/n-quads', lenient: true });
  }

  /** Removes a quad, unless there is another quad that Oxigraph considers equal. */
  #remove(row: Uint32Array, place: TermId): void {
    const [subject, predicate, object, marked] = row as unknown as [TermId, TermId, TermId, number];
    const reader = this.#reader;
    const same = this.#sameFor(object);
    const graph = marked & ID_MASK;
    if (!same.some((id) => reader.hasQuad(subject, predicate, id, graph))) {
      const texts = [subject, predicate, object].map((id) => reader.text(id));
      if (place !== NO_TERM) deleteQuad(this.oxigraph, this.store, [...texts, reader.text(place)]);
      else if (!this.#isMerged) deleteQuad(this.oxigraph, this.store, texts);
    }
    if (!this.#isMerged || same.some((id) => reader.graphsOf(subject, predicate, id).length > 0)) return;
    deleteQuad(
      this.oxigraph,
      this.store,
      [subject, predicate, object].map((id) => reader.text(id)),
    );
  }

  /**
   * Returns the terms of the data that Oxigraph considers equal to this one: itself and its other
   * spellings.
   */
  #sameFor(object: TermId): TermId[] {
    const changed = this.known.changed(this.#reader.text(object));
    const written = this.known.written(changed);
    if (written.length === 0) return [object];
    return [changed, ...written].map((text) => this.#reader.find(text)).filter((id) => id !== NO_TERM);
  }
}

/**
 * Returns the rows of each commit up to that of a snapshot; undefined if the feed has lost some.
 */
function commitsSince(
  sequence: number,
  reader: SnapshotReader,
  feed: SharedArrayBuffer,
): Uint32Array[] | undefined {
  const commits = new ChangeFeedReader(feed, sequence, reader.terms.generation);
  const all: Uint32Array[] = [];
  while (commits.sequence < reader.sequence) {
    const rows = commits.next();
    if (rows === 'lost' || rows === undefined) return undefined;
    if (rows.length > 0) all.push(rows);
  }
  return all;
}

/** Grows the memory for the next slice in larger steps than Oxigraph would. */
function makingRoom({ room }: LimitedOxigraph, onProgress: OnProgress): OnProgress {
  return (quads) => {
    room.make();
    onProgress(quads);
  };
}

function isLabelled(quad: readonly string[]): boolean {
  return hasBlankNode(quad[0]!) || hasBlankNode(quad[2]!);
}
