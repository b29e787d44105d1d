import type { TermBytes } from '../../rdf/model/path-graph.ts';
import type { TermId } from '../../rdf/model/term-id.ts';

/** Returns the canonical N-Triples form of a term from (possibly shared) memory. */
export function termText(terms: TermBytes, id: TermId): string {
  const start = terms.start(id);
  return Buffer.from(terms.bytes.slice(start, terms.end(id))).toString();
}
