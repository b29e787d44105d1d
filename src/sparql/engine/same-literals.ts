import type { QuadCursor } from '../../rdf/model/quad-cursor.ts';
import { NO_TERM, type TermId } from '../../rdf/model/term-id.ts';
import { mix } from '../../snapshot/dictionary/hash.ts';
import type { SnapshotReader } from '../../snapshot/read/reader.ts';

/** Quads between two signs of progress. */
const STEP = 10_000;

export type RepeatsReader = Pick<SnapshotReader, 'find' | 'objectCursor' | 'graphsOf'>;

/** Literals that Oxigraph takes for the same: one as it writes them, and others. */
export class SameLiterals {
  readonly #reader: RepeatsReader;
  readonly #canonical: TermId;
  readonly #others: readonly TermId[];
  readonly #onProgress: () => void;
  #walked = 0;

  constructor(reader: RepeatsReader, canonical: TermId, others: readonly TermId[], onProgress: () => void) {
    this.#reader = reader;
    this.#canonical = canonical;
    this.#others = others;
    this.#onProgress = onProgress;
  }

  /**
   * Whether several graphs hold triples that differ in nothing else. A value may be in millions of
   * triples, so about `together` of them are kept in memory at a time, and all are gone through
   * once for each such part.
   */
  areInSeveralGraphs(together: number): boolean {
    let count = 0;
    for (const _ of this.#quads()) count++;
    const parts = Math.ceil(count / together);
    for (let part = 0; part < parts; part++) if (this.#isRepeatedIn(part, parts)) return true;
    return false;
  }

  #isRepeatedIn(part: number, parts: number): boolean {
    const graphs = new Map<string, TermId>();
    for (const { subject, predicate, graph } of this.#quads()) {
      if (parts > 1 && (mix(subject ^ mix(predicate)) >>> 0) % parts !== part) continue;
      const key = `${subject} ${predicate}`;
      if ((graphs.get(key) ?? this.#firstGraph(subject, predicate) ?? graph) !== graph) return true;
      graphs.set(key, graph);
    }
    return false;
  }

  #firstGraph(subject: TermId, predicate: TermId): TermId | undefined {
    if (this.#canonical === NO_TERM) return undefined;
    return this.#reader.graphsOf(subject, predicate, this.#canonical)[0];
  }

  *#quads(): Generator<QuadCursor> {
    for (const id of this.#others) {
      const quads = this.#reader.objectCursor(id);
      while (quads.next()) {
        if (++this.#walked % STEP === 0) this.#onProgress();
        yield quads;
      }
    }
  }
}
