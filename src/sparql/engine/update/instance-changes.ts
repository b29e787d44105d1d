import type { TermId } from '../../../rdf/model/term-id.ts';
import { addQuad, deleteQuad, hasQuad } from '../../../rdf/oxigraph/terms.ts';
import { OverlayTerms } from '../../../snapshot/dictionary/overlay.ts';
import { QuadSet } from '../../../snapshot/runs/quad-set.ts';
import type { DataWatcher, UpdatedData } from '../../effects/updated-data.ts';
import type { SparqlInstance } from '../../instance.ts';
import type { RequestSpellings } from './request-spellings.ts';

/** The most rows that are undone; for more rows, a new instance is faster. */
const MAX_ROWS = 100_000;

interface Step {
  readonly quad: readonly string[];
  readonly added: boolean;
}

/** Uncommitted changes applied to an instance, so that later operations see them. */
export class InstanceChanges implements DataWatcher {
  readonly #instance: SparqlInstance;
  readonly #data: UpdatedData;
  readonly #spellings: RequestSpellings;
  /** Changed quads that have not yet been applied to the instance. */
  #noted = new QuadSet();
  readonly #steps: Step[] = [];
  #isMerged: boolean;
  #repeats = false;
  #isSpoilt = false;

  constructor(instance: SparqlInstance, data: UpdatedData, spellings: RequestSpellings) {
    this.#instance = instance;
    this.#data = data;
    this.#spellings = spellings;
    this.#isMerged = instance.isMerged;
  }

  /** Whether the instance must not be used any more. */
  get isSpoilt(): boolean {
    return this.#isSpoilt;
  }

  note(subject: TermId, predicate: TermId, object: TermId, graph: TermId): void {
    this.#noted.add(subject, predicate, object, graph);
  }

  /** Applies the changes noted so far. */
  flush(): void {
    const rows = this.#noted.rows();
    if (rows.length === 0) return;
    this.#noted = new QuadSet();
    const terms = new OverlayTerms(this.#data.reader.terms, this.#data.terms.added());
    this.#spellings.learn(objectsOf(rows, terms));
    if (rows.length / 4 + this.#steps.length > MAX_ROWS) this.#isSpoilt = true;
    for (let at = 0; at < rows.length; at += 4) {
      this.#take([rows[at]!, rows[at + 1]!, rows[at + 2]!, rows[at + 3]!], terms);
    }
  }

  /** Whether a triple may be in several graphs. */
  get mayRepeat(): boolean {
    return this.#isMerged || this.#repeats;
  }

  /**
   * Whether the store's default graph contains the merge of all graphs. If it does not, a union of
   * all graphs has the same result.
   */
  merged(): boolean {
    if (this.#repeats && !this.#isMerged) this.#merge();
    return this.#isMerged;
  }

  /** Restores the instance. */
  undo(): void {
    if (this.#isSpoilt) return;
    // If a step fails, the instance can't be used any more.
    this.#isSpoilt = true;
    for (const { quad, added } of this.#steps.splice(0).reverse()) {
      if (added) deleteQuad(this.#instance.oxigraph, this.#instance.store, quad);
      else addQuad(this.#instance.oxigraph, this.#instance.store, quad);
    }
    this.#isSpoilt = false;
  }

  /** Makes the store agree with the data on a quad. */
  #take(
    [subject, predicate, object, graph]: readonly [TermId, TermId, TermId, TermId],
    terms: OverlayTerms,
  ): void {
    const same = this.#sameAs(object, terms);
    const triple = [subject, predicate, object].map((id) => terms.text(id));
    if (this.#data.has(subject, predicate, object, graph)) this.#spellings.note(terms.text(object));
    const isThere = same.some((id) => this.#data.has(subject, predicate, id, graph));
    this.#set([...triple, terms.text(graph)], isThere);
    const graphs = new Set(same.flatMap((id) => this.#data.graphsWith(subject, predicate, id)));
    if (this.#isMerged) this.#set(triple, graphs.size > 0);
    else if (graphs.size > 1) this.#repeats = true;
  }

  /** Returns the terms that Oxigraph considers equal to this one. */
  #sameAs(object: TermId, terms: OverlayTerms): TermId[] {
    const canonical = this.#spellings.canonical(terms.text(object));
    const texts = [canonical, ...this.#spellings.of(canonical)];
    const ids = texts.map((text) => this.#data.terms.findText(text));
    return [...new Set([object, ...ids.filter((id) => id > 0)])];
  }

  #set(quad: readonly string[], isThere: boolean): void {
    const { oxigraph, store } = this.#instance;
    if (hasQuad(oxigraph, store, quad) === isThere) return;
    if (isThere) addQuad(oxigraph, store, quad);
    else deleteQuad(oxigraph, store, quad);
    if (!this.#isSpoilt) this.#steps.push({ quad, added: isThere });
  }

  /** Called when a triple has come to be in several graphs. */
  #merge(): void {
    this.#instance.store.update('INSERT { ?s ?p ?o } WHERE { GRAPH ?g { ?s ?p ?o } }');
    this.#isMerged = true;
    this.#isSpoilt = true;
  }
}

function* objectsOf(rows: Uint32Array, terms: OverlayTerms): Generator<string> {
  for (let at = 2; at < rows.length; at += 4) yield terms.text(rows[at]!);
}
