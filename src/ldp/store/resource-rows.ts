import { formatTerm, iri, literal, XSD } from '../../rdf/model/term.ts';
import type { TermId } from '../../rdf/model/term-id.ts';
import { changeDate } from '../../store/graphs/change-date.ts';
import type { LdpKind } from '../model/kinds.ts';
import { typesOf } from '../model/rdf-types.ts';
import { dcterms, RDF_TYPE } from '../model/vocabulary.ts';
import { GONE, LDP_ROW, type LdpEntry, ldpEntry, ldpRow } from '../registry.ts';
import type { LdpDraft } from './draft.ts';
import { configurationOf, configurationTriples, type TripleText } from './membership.ts';

const TYPE = formatTerm(iri(RDF_TYPE));
const CREATED = formatTerm(iri(dcterms.created));
const MODIFIED = formatTerm(iri(dcterms.modified));

/** Adds a resource that has never existed to the registry, with its types and dates. */
export function makeResource(draft: LdpDraft, uri: string, kind: LdpKind): void {
  draft.settle(uri);
  const { sequence, modified } = draft.stamp;
  draft.addRegistryRow(row(uri, ldpRow({ kind, sequence, modified })));
  for (const triple of typeTriples(uri, kind)) draft.addManaged(triple);
  draft.addManaged([formatTerm(iri(uri)), CREATED, dateTime(modified)]);
  draft.addManaged(modifiedTriple(uri, modified));
}

/**
 * Records that the representation of a live RDF source changes (http-api L-11); does nothing for
 * other resources.
 */
export function touch(draft: LdpDraft, uri: string): void {
  const entry = ldpEntry(draft.reader, uri);
  if (entry && entry !== 'gone' && entry.kind !== 'binary') renew(draft, uri, entry);
}

/** Sets a new state and date for a live resource, unless the operation has already done so. */
export function renew(draft: LdpDraft, uri: string, entry: LdpEntry): void {
  if (!draft.settle(uri)) return;
  const { sequence } = draft.stamp;
  if (entry.sequence === sequence) return;
  const modified = changeDate(draft.stamp.modified, entry.modified);
  draft.removeRegistryRow(row(uri, ldpRow(entry)));
  draft.addRegistryRow(row(uri, ldpRow({ kind: entry.kind, sequence, modified })));
  if (entry.modified === modified) return;
  draft.removeManaged(modifiedTriple(uri, entry.modified));
  draft.addManaged(modifiedTriple(uri, modified));
}

/** Removes everything about a resource except a tombstone (http-api L-6). */
export function buryResource(draft: LdpDraft, uri: string, entry: LdpEntry): void {
  draft.settle(uri);
  draft.removeRegistryRow(row(uri, ldpRow(entry)));
  draft.addRegistryRow(row(uri, GONE));
  for (const triple of typeTriples(uri, entry.kind)) draft.removeManaged(triple);
  draft.removeManaged(modifiedTriple(uri, entry.modified));
  removeCreated(draft, formatTerm(iri(uri)));
  const configuration = configurationOf(draft.reader, uri);
  if (configuration) {
    for (const triple of configurationTriples(uri, configuration)) draft.removeManaged(triple);
  }
}

/**
 * The creation date is not in the registry, so it is looked up. No membership triple has this
 * predicate, see `isManaged`.
 */
function removeCreated(draft: LdpDraft, subject: string): void {
  const { reader, managed } = draft;
  const found: TermId[] = [];
  managed.objects(reader.find(subject), reader.find(CREATED), found);
  for (const date of found) draft.removeManaged([subject, CREATED, reader.text(date)]);
}

function typeTriples(uri: string, kind: LdpKind): TripleText[] {
  return typesOf(kind).map((type) => [formatTerm(iri(uri)), TYPE, formatTerm(iri(type))]);
}

function modifiedTriple(uri: string, modified: number): TripleText {
  return [formatTerm(iri(uri)), MODIFIED, dateTime(modified)];
}

function row(uri: string, value: string): TripleText {
  return [formatTerm(iri(uri)), LDP_ROW, formatTerm(literal(value))];
}

/** Formats a time with milliseconds, in UTC (http-api 5.3). */
function dateTime(milliseconds: number): string {
  return formatTerm(literal(new Date(milliseconds).toISOString(), `${XSD}dateTime`));
}
