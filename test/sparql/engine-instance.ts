import oxigraph from 'oxigraph';
import { hasSpelling, oxigraphSpellings } from '../../src/rdf/oxigraph/spelling.ts';
import { addQuad } from '../../src/rdf/oxigraph/terms.ts';
import { SYSTEM_GRAPH_ID } from '../../src/snapshot/graphs/system-graph.ts';
import { openSnapshot } from '../../src/snapshot/read/reader.ts';
import type { SparqlInstance } from '../../src/sparql/instance.ts';
import type { Store } from '../../src/store/thread/store.ts';

/** Returns a minimal instance with the data of a store. */
export function instanceOf(store: Pick<Store, 'snapshot'>): SparqlInstance {
  const reader = openSnapshot(store.snapshot);
  const quads: string[][] = [];
  const cursor = reader.allQuads();
  while (cursor.next()) {
    if (cursor.graph === SYSTEM_GRAPH_ID) continue;
    quads.push([cursor.subject, cursor.predicate, cursor.object, cursor.graph].map((id) => reader.text(id)));
  }
  const triples = quads.map((quad) => quad.slice(0, 3));
  const isMerged = new Set(triples.map((triple) => triple.join(' '))).size < triples.length;
  const own = new oxigraph.Store();
  for (const quad of isMerged ? [...quads, ...triples] : quads) addQuad(oxigraph, own, quad);
  const literals = quads.map((quad) => quad[2]!).filter(hasSpelling);
  const spellings = [...oxigraphSpellings(oxigraph, literals)];
  return {
    oxigraph,
    store: own,
    reader,
    sequence: reader.sequence,
    isMerged,
    spellings: (term) =>
      spellings.filter(([written, other]) => other === term && written !== term).map(([written]) => written),
  };
}
