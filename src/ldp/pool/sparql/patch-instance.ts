import { hasBlankNode } from '../../../rdf/model/triple-term.ts';
import { release } from '../../../rdf/oxigraph/terms.ts';
import { Spellings } from '../../../sparql/engine/spellings.ts';
import type { Oxigraph, SparqlInstance } from '../../../sparql/instance.ts';
import type { RepresentedData } from './represented-data.ts';

/** Characters of N-Triples that are loaded in one call. */
const CHUNK_CHARACTERS = 64 * 1024;
const nTriples = { format: 'application/n-triples', lenient: true };

/**
 * A store with one representation and nothing else. It has a single graph, so that graph is also
 * the merge of all graphs. `store` must be released.
 */
export class PatchInstance implements SparqlInstance {
  readonly oxigraph: Oxigraph;
  readonly store: SparqlInstance['store'];
  readonly reader: RepresentedData;
  readonly sequence: number;
  readonly isMerged = true;
  #spellings: Spellings | undefined;

  constructor(oxigraph: Oxigraph, data: RepresentedData) {
    this.oxigraph = oxigraph;
    this.store = new oxigraph.Store();
    this.reader = data;
    this.sequence = data.sequence;
    this.#fill();
  }

  spellings(term: string): readonly string[] {
    this.#spellings ??= this.#learn();
    return this.#spellings.written(term);
  }

  #fill(): void {
    let [plain, labelled] = ['', ''];
    for (const [subject, predicate, object] of this.reader.triples()) {
      const line = `${subject} ${predicate} ${object} .\n`;
      if (hasBlankNode(subject) || hasBlankNode(object)) labelled += line;
      else plain += line;
      if (plain.length + labelled.length < CHUNK_CHARACTERS) continue;
      this.#load(plain, labelled);
      [plain, labelled] = ['', ''];
    }
    this.#load(plain, labelled);
  }

  /** `labelled`: triples with blank nodes, whose labels the loader would change. */
  #load(plain: string, labelled: string): void {
    this.store.load(plain, nTriples);
    for (const quad of this.oxigraph.parse(labelled, nTriples)) {
      this.store.add(quad);
      release(quad);
    }
  }

  #learn(): Spellings {
    const spellings = new Spellings();
    spellings.learn(this.oxigraph, this.#objects());
    return spellings;
  }

  *#objects(): Generator<string> {
    for (const [, , object] of this.reader.triples()) yield object;
  }
}
