import type { ChangedRows } from '../../../changes/messages.ts';
import { AppError } from '../../../errors.ts';
import { graphTermOf } from '../../../rdf/model/graph-name.ts';
import type { QuadCursor } from '../../../rdf/model/quad-cursor.ts';
import { RowQuads } from '../../../rdf/model/row-quads.ts';
import type { TermId } from '../../../rdf/model/term-id.ts';
import type { SnapshotDescriptor } from '../../../snapshot/descriptor.ts';
import { Dictionary } from '../../../snapshot/dictionary/dictionary.ts';
import { DictionaryWriter } from '../../../snapshot/dictionary/term-writer.ts';
import { NetChangesBuilder } from '../../../snapshot/feed/net-changes-builder.ts';
import { earlierSnapshot } from '../../../snapshot/read/earlier-snapshot.ts';
import { openSnapshot } from '../../../snapshot/read/reader.ts';
import { sortQuads } from '../../../snapshot/runs/sorted-quads.ts';
import { addTexts } from './window-states.ts';

/** The most triples of a graph that is copied, since terms of it have been dropped. */
const MOST_COPIED = 2 ** 20;

/** The quads of a graph in an earlier state. Each call of the function begins anew. */
export interface EarlierQuads {
  readonly mayHaveRdf12: boolean;
  read(): QuadCursor;
}

/**
 * Returns the quads that a graph had before the changes. Usually that is the present snapshot with
 * one more delta. Where the dictionary has dropped a term since, it is a copy of the graph. Error
 * `budget-exceeded` if that is too large.
 */
export function earlierQuads(snapshot: SnapshotDescriptor, graph: string, rows: ChangedRows): EarlierQuads {
  const present = openSnapshot(snapshot);
  const builder = new NetChangesBuilder(present);
  addTexts(builder, rows);
  const changes = builder.finish();
  const earlier = earlierSnapshot(snapshot, changes, present.sequence);
  const id = present.find(graphTermOf(graph));
  const lost = rowsOf(changes.unsure, (quad) => quad.some((term) => term > changes.termCount));
  const { mayHaveRdf12 } = present.terms;
  if (lost.length === 0) return { mayHaveRdf12, read: () => earlier.graphCursor(id) };
  const copy = new GraphCopy((term) => changes.text(term));
  if (id > 0) copy.takeAll(earlier.graphCursor(id));
  for (const quad of lost) copy.take(...quad);
  const quads = copy.finish();
  return { mayHaveRdf12: true, read: () => new RowQuads(quads.terms, quads.rows) };
}

type Quad = readonly [TermId, TermId, TermId, TermId];

function rowsOf(words: Uint32Array, isWanted: (quad: Quad) => boolean): Quad[] {
  const quads: Quad[] = [];
  for (let i = 0; i < words.length; i += 4) {
    const quad: Quad = [words[i]!, words[i + 1]!, words[i + 2]!, words[i + 3]!];
    if (isWanted(quad)) quads.push(quad);
  }
  return quads;
}

/** Quads with a dictionary of their own. */
class GraphCopy {
  readonly #text: (term: TermId) => string;
  readonly #terms = new DictionaryWriter();
  readonly #ids = new Map<TermId, TermId>();
  readonly #words: number[] = [];

  constructor(text: (term: TermId) => string) {
    this.#text = text;
  }

  takeAll(quads: QuadCursor): void {
    while (quads.next()) this.take(quads.subject, quads.predicate, quads.object, quads.graph);
  }

  take(...quad: Quad): void {
    if (this.#words.length >= 4 * MOST_COPIED) {
      const message = `The graph had more than ${MOST_COPIED} triples then, and terms of it have been dropped since. Read it as it was after a later commit.`;
      throw new AppError('budget-exceeded', message);
    }
    for (const term of quad) this.#words.push(this.#idOf(term));
  }

  /** In the order of a cursor: the quads of a subject follow one another. */
  finish() {
    const sorted = sortQuads(Uint32Array.from(this.#words));
    const rows = new Uint32Array(4 * sorted.count);
    for (const [place, column] of [0, 1, 2, 3].map((index) => sorted.column(index)).entries()) {
      for (const [i, term] of column.entries()) rows[4 * i + place] = term;
    }
    return { terms: new Dictionary(this.#terms.descriptor()), rows };
  }

  #idOf(term: TermId): TermId {
    let id = this.#ids.get(term);
    if (id === undefined) {
      id = this.#terms.internText(this.#text(term));
      this.#ids.set(term, id);
    }
    return id;
  }
}
