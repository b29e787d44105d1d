import { blankNode, literal, namedNode, quad, Store } from 'oxigraph';
import { parseTerm } from '../../src/rdf/model/term.ts';
import type { TextQuad } from '../contracts/path-graph.contract.ts';

type OxigraphTerm = ReturnType<typeof namedNode> | ReturnType<typeof blankNode> | ReturnType<typeof literal>;
type OxigraphQuad = ReturnType<typeof quad>;

/** An Oxigraph store in terms of canonical text; whatever WASM hands out is freed. */
export class OxigraphModel {
  readonly #store = new Store();

  add(quads: readonly TextQuad[]): void {
    for (const each of quads) withQuad(each, (made) => this.#store.add(made));
  }

  remove(quads: readonly TextQuad[]): void {
    for (const each of quads) withQuad(each, (made) => this.#store.delete(made));
  }

  drop(graph: string): void {
    this.remove(this.quads().filter((each) => each.graph === graph));
  }

  reset(quads: readonly TextQuad[]): void {
    this.remove(this.quads());
    this.add(quads);
  }

  /** Sorted by their text. */
  quads(): TextQuad[] {
    const keyed = this.#store.match(null, null, null, null).map((found): [string, TextQuad] => {
      const quad = toText(found);
      return [`${quad.subject} ${quad.predicate} ${quad.object} ${quad.graph}`, quad];
    });
    return keyed.sort(([x], [y]) => (x < y ? -1 : 1)).map(([, quad]) => quad);
  }

  free(): void {
    free(this.#store);
  }
}

function toText(found: OxigraphQuad): TextQuad {
  const { subject, predicate, object, graph } = found;
  const terms = [subject, predicate, object, graph];
  const [s, p, o, g] = terms.map(String) as [string, string, string, string];
  for (const object of [...terms, found]) free(object);
  return { subject: s, predicate: p, object: o, graph: g };
}

function withQuad(text: TextQuad, use: (made: OxigraphQuad) => void): void {
  const terms = [text.subject, text.predicate, text.object, text.graph].map(toOxigraph);
  const made = quad(...(terms as Parameters<typeof quad>));
  use(made);
  for (const object of [...terms, made]) free(object);
}

function toOxigraph(text: string): OxigraphTerm {
  const term = parseTerm(text);
  if (term.kind === 'iri') return namedNode(term.value);
  if (term.kind === 'blank') return blankNode(term.value);
  if (term.kind === 'triple') throw new Error('The model has no triple terms.');
  return literal(term.value, term.language === '' ? namedNode(term.datatype) : term.language);
}

/** The generated classes have it, their published types do not. */
function free(object: object): void {
  (object as { free(): void }).free();
}
