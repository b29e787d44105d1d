import type { NetChanges } from '../../rdf/model/changes/net-changes.ts';
import { withSmallTag } from '../../rdf/model/language/tag-case.ts';
import type { QuadCursor } from '../../rdf/model/quad-cursor.ts';
import { NO_TERM, type TermId } from '../../rdf/model/term-id.ts';
import { SYSTEM_GRAPH, SYSTEM_GRAPH_ID } from '../graphs/system-graph.ts';
import type { SnapshotReader } from '../read/reader.ts';
import { ID_MASK } from '../runs/order.ts';
import { QuadSet } from '../runs/quad-set.ts';

/** Canonical N-Triples forms. */
export interface RowTexts {
  readonly subject: string;
  readonly predicate: string;
  readonly object: string;
  readonly graph: string;
}

/** Folds the rows of commits, given in their order, into what they change together. */
export class NetChangesBuilder {
  readonly #present: SnapshotReader;
  readonly #quads = new QuadSet();
  /** By row of `#quads`: whether the first and the last change of the quad removed it. */
  readonly #firstRemoves: boolean[] = [];
  readonly #lastRemoves: boolean[] = [];
  readonly #dropped = new DroppedTerms();
  /** True if the dictionary may have been renumbered since the first commit. */
  #byText = false;

  /** @param present the snapshot as of the last of the commits */
  constructor(present: SnapshotReader) {
    this.#present = present;
  }

  /**
   * Adds rows of four ids, the graph with `REMOVED`, as the change feed has them. Their ids must be
   * of the same generation of the dictionary as the present snapshot, or from `idOf`.
   */
  addRows(rows: Uint32Array): void {
    for (let i = 0; i < rows.length; i += 4) {
      const graph = rows[i + 3]!;
      this.#add(rows[i]!, rows[i + 1]!, rows[i + 2]!, graph & ID_MASK, graph > ID_MASK);
    }
  }

  /** Adds a row whose ids may be of another generation, by the texts of its terms. */
  addTexts({ subject, predicate, object, graph }: RowTexts, removes: boolean): void {
    if (graph === `<${SYSTEM_GRAPH}>`) return;
    this.#add(this.idOf(subject), this.idOf(predicate), this.idOf(object), this.idOf(graph), removes);
  }

  /** Returns the id for `addRows` of a term of a row whose ids may be of another generation. */
  idOf(text: string): TermId {
    this.#byText = true;
    const { terms } = this.#present;
    return terms.find(text) || this.#dropped.add(text, terms.termCount);
  }

  finish(): NetChanges {
    const { terms } = this.#present;
    return {
      added: this.#rows((row) => !this.#firstRemoves[row] && !this.#lastRemoves[row]),
      removed: this.#rows(
        (row) => this.#firstRemoves[row]! && this.#lastRemoves[row]! && !this.#hasDropped(row),
      ),
      unsure: this.#byText ? this.#unsure() : new Uint32Array(0),
      termCount: terms.termCount,
      find: (text) => terms.find(text) || this.#dropped.find(text, terms.termCount),
      text: (id) => (id <= terms.termCount ? terms.text(id) : this.#dropped.text(id - terms.termCount - 1)),
    };
  }

  // biome-ignore lint/complexity/useMaxParams: the four terms of a quad
  #add(s: TermId, p: TermId, o: TermId, g: TermId, removes: boolean): void {
    if (g === SYSTEM_GRAPH_ID) return;
    const known = this.#quads.row(s, p, o, g);
    if (known >= 0) {
      this.#lastRemoves[known] = removes;
      return;
    }
    this.#quads.add(s, p, o, g);
    this.#firstRemoves.push(removes);
    this.#lastRemoves.push(removes);
  }

  #rows(isWanted: (row: number) => boolean): Uint32Array {
    const words: number[] = [];
    for (let row = 0; row < this.#quads.size; row++) if (isWanted(row)) words.push(...this.#quads.at(row));
    return Uint32Array.from(words);
  }

  #hasDropped(row: number): boolean {
    return this.#quads.at(row).some((id) => id > this.#present.terms.termCount);
  }

  #unsure(): Uint32Array {
    const survivors = new Survivors(this.#present, this.#rowsPresent());
    return this.#rows((row) => {
      if (!this.#firstRemoves[row]) return false;
      const [s, p, o] = this.#quads.at(row);
      if (this.#hasDropped(row)) return true;
      return !(survivors.asNode(s) && survivors.asPredicate(p) && survivors.asNode(o));
    });
  }

  /** The quads that the commits have changed and that are present. */
  #rowsPresent(): QuadSet {
    const present = new QuadSet();
    for (let row = 0; row < this.#quads.size; row++) {
      if (!this.#lastRemoves[row]) present.add(...this.#quads.at(row));
    }
    return present;
  }
}

/** Terms that are not in the present dictionary, numbered after its own. */
class DroppedTerms {
  readonly #texts: string[] = [];
  /** By text, with the language tag in lower case. */
  readonly #numbers = new Map<string, number>();

  add(text: string, termCount: number): TermId {
    const key = withSmallTag(text);
    let number = this.#numbers.get(key);
    if (number === undefined) {
      number = this.#texts.push(text);
      this.#numbers.set(key, number);
    }
    return termCount + number;
  }

  find(text: string, termCount: number): TermId {
    const number = this.#numbers.get(withSmallTag(text));
    return number === undefined ? NO_TERM : termCount + number;
  }

  text(index: number): string {
    return this.#texts[index]!;
  }
}

/**
 * Tells which terms were in use during all of the commits: those in a present quad that no commit
 * has changed. The dictionary has never dropped them, so their order is as it was. Costs as much as
 * there are changed quads of the term.
 */
class Survivors {
  readonly #present: SnapshotReader;
  readonly #changed: QuadSet;
  readonly #known = new Map<TermId, boolean>();
  readonly #changedOfPredicate = new Map<TermId, number>();

  constructor(present: SnapshotReader, changed: QuadSet) {
    this.#present = present;
    this.#changed = changed;
    for (let row = 0; row < changed.size; row++) {
      const predicate = changed.at(row)[1];
      this.#changedOfPredicate.set(predicate, (this.#changedOfPredicate.get(predicate) ?? 0) + 1);
    }
  }

  asNode(id: TermId): boolean {
    let known = this.#known.get(id);
    if (known === undefined) {
      known =
        this.#hasOther(this.#present.subjectCursor(id)) || this.#hasOther(this.#present.objectCursor(id));
      this.#known.set(id, known);
    }
    return known;
  }

  asPredicate(id: TermId): boolean {
    return this.#present.predicateCount(id) > (this.#changedOfPredicate.get(id) ?? 0);
  }

  #hasOther(quads: QuadCursor): boolean {
    while (quads.next()) {
      if (!this.#changed.has(quads.subject, quads.predicate, quads.object, quads.graph)) return true;
    }
    return false;
  }
}
