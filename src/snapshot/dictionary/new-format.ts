import { hasCapitalTag } from '../../rdf/model/language/tag-case.ts';
import type { TermBytes } from '../../rdf/model/path-graph.ts';
import { isRdf12Term } from '../../rdf/model/rdf12.ts';

/**
 * Whether older releases would misread a term, so that files with it need a format that they
 * refuse: a term of RDF 1.2, which they know nothing of, or a literal whose language tag has a
 * capital letter, since they compare tags byte by byte and expect lower case.
 */
export function needsNewFormat(bytes: Uint8Array, start: number, end: number): boolean {
  return isRdf12Term(bytes, start, end) || hasCapitalTag(bytes, start, end);
}

/** Whether the object of one of these rows of four ids is such a term. */
export function rowsNeedNewFormat(
  rows: Uint32Array,
  terms: Pick<TermBytes, 'bytes' | 'start' | 'end'>,
): boolean {
  for (let i = 2; i < rows.length; i += 4) {
    const object = rows[i]!;
    if (needsNewFormat(terms.bytes, terms.start(object), terms.end(object))) return true;
  }
  return false;
}
