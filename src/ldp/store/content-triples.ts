import { formatTerm, iri, literal, XSD } from '../../rdf/model/term.ts';
import type { StoredContent } from '../../store/registry/resource-registry.ts';
import { descriptionOf } from '../model/names.ts';
import { dcterms } from '../model/vocabulary.ts';
import type { TripleText } from './membership.ts';

/**
 * Returns the triples about a binary other than its types and dates (http-api 5.3): format, then
 * extent.
 */
export function contentTriples(binary: string, { contentType, bytes }: StoredContent): TripleText[] {
  const subject = formatTerm(iri(binary));
  return [
    [subject, formatTerm(iri(dcterms.format)), formatTerm(literal(contentType))],
    [subject, formatTerm(iri(dcterms.extent)), formatTerm(literal(String(bytes), `${XSD}integer`))],
  ];
}

/** Returns the triples that link a binary and its description. */
export function formatTriples(binary: string): TripleText[] {
  const description = formatTerm(iri(descriptionOf(binary)));
  const subject = formatTerm(iri(binary));
  return [
    [subject, formatTerm(iri(dcterms.isFormatOf)), description],
    [description, formatTerm(iri(dcterms.hasFormat)), subject],
  ];
}
