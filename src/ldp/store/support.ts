/**
 * Membership triples and the children that they were made for. Several children may share one
 * triple, which is removed with the last of them (http-api L-50). So that neither creating nor
 * deleting a child has to visit the others, the registry counts them: a triple that was made for
 * more than one child has a row `<urn:x-pathpool:ldpMembership:hash> <urn:x-pathpool:ldpMade>
 * "count"`.
 */
import { createHash } from 'node:crypto';
import { formatTerm, iri, literal, parseTerm } from '../../rdf/model/term.ts';
import type { TermId } from '../../rdf/model/term-id.ts';
import type { SnapshotReader } from '../../snapshot/read/reader.ts';
import type { MembershipConfiguration } from '../model/kinds.ts';
import { ldp } from '../model/vocabulary.ts';
import { LDP_MEMBER } from '../registry.ts';
import type { LdpDraft } from './draft.ts';
import { membershipTriple, type TripleText } from './membership.ts';
import { touch } from './resource-rows.ts';

export const MADE = '<urn:x-pathpool:ldpMade>';

/**
 * Adds a member for a child. If the membership triple is new, the resources that show it are
 * touched (http-api L-49).
 */
export function addMember(
  draft: LdpDraft,
  configuration: MembershipConfiguration,
  child: string,
  member: string,
): void {
  const triple = membershipTriple(configuration, member);
  draft.addRegistryRow(memberRow(child, member));
  if (draft.hasManaged(triple)) {
    setSupport(draft, triple, 1);
  } else {
    draft.addManaged(triple);
    touchShowing(draft, triple);
  }
}

/** Removes a member that was added for a child. */
export function removeMember(
  draft: LdpDraft,
  configuration: MembershipConfiguration,
  child: string,
  member: string,
): void {
  const triple = membershipTriple(configuration, member);
  draft.removeRegistryRow(memberRow(child, member));
  if (supportOf(draft.reader, triple) > 1) {
    setSupport(draft, triple, -1);
  } else {
    draft.removeManaged(triple);
    touchShowing(draft, triple);
  }
}

/** Returns the members that were added for a child. */
export function membersOf(reader: SnapshotReader, child: string): string[] {
  const found: TermId[] = [];
  reader.registry.objects(reader.find(formatTerm(iri(child))), reader.find(LDP_MEMBER), found);
  return found.map((member) => parseTerm(reader.text(member)).value);
}

/** Returns the number of children that an existing membership triple was made for. */
function supportOf(reader: SnapshotReader, triple: TripleText): number {
  const found: TermId[] = [];
  reader.registry.objects(reader.find(supportKey(triple)), reader.find(MADE), found);
  return found[0] === undefined ? 1 : Number(parseTerm(reader.text(found[0])).value);
}

function setSupport(draft: LdpDraft, triple: TripleText, by: 1 | -1): void {
  const count = supportOf(draft.reader, triple);
  const row = (value: number): TripleText => [supportKey(triple), MADE, formatTerm(literal(String(value)))];
  draft.removeRegistryRow(row(count));
  if (count + by > 1) draft.addRegistryRow(row(count + by));
}

/**
 * Touches every resource that shows a membership triple: its subject, both ends of an inverse
 * relation, and all containers whose configuration makes it.
 */
function touchShowing(draft: LdpDraft, [subject, relation, object]: TripleText): void {
  const forward = configuredSo(draft, subject, ldp.hasMemberRelation, relation);
  const inverse = configuredSo(draft, object, ldp.isMemberOfRelation, relation);
  const ends = inverse.length > 0 ? [subject, object] : [subject];
  for (const resource of [...ends, ...forward, ...inverse]) touch(draft, resource.slice(1, -1));
}

/** Returns the containers with this membership resource and relation. */
function configuredSo(draft: LdpDraft, resource: string, form: string, relation: string): string[] {
  const { reader, managed } = draft;
  const found: TermId[] = [];
  const property = reader.find(formatTerm(iri(ldp.membershipResource)));
  managed.subjects(property, reader.find(resource), found);
  return found
    .map((container) => reader.text(container))
    .filter((container) => draft.hasManaged([container, formatTerm(iri(form)), relation]));
}

function memberRow(child: string, member: string): TripleText {
  return [formatTerm(iri(child)), LDP_MEMBER, formatTerm(iri(member))];
}

/** Returns the subject of the row that counts the children of a membership triple. */
export function supportKey(triple: TripleText): string {
  return `<urn:x-pathpool:ldpMembership:${createHash('sha256').update(triple.join(' ')).digest('hex')}>`;
}
