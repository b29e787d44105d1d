import { formatTerm, iri, literal, XSD } from '../graph/term.ts';
import { descriptionOf } from '../ldp/names.ts';
import { dcterms } from '../ldp/vocabulary.ts';
import type { TripleText } from './ldp-membership.ts';
import type { StoredContent } from './resource-books.ts';

/** What is said of a binary beside its types and dates (http-api 5.3): format, then extent. */
export function contentTriples(binary: string, { contentType, bytes }: StoredContent): TripleText[] {
  const subject = formatTerm(iri(binary));
  return [
    [subject, formatTerm(iri(dcterms.format)), formatTerm(literal(contentType))],
    [subject, formatTerm(iri(dcterms.extent)), formatTerm(literal(String(bytes), `${XSD}integer`))],
  ];
}

/** The triples that tie a binary and its description together. */
export function formatTriples(binary: string): TripleText[] {
  const description = formatTerm(iri(descriptionOf(binary)));
  const subject = formatTerm(iri(binary));
  return [
    [subject, formatTerm(iri(dcterms.isFormatOf)), description],
    [description, formatTerm(iri(dcterms.hasFormat)), subject],
  ];
}
