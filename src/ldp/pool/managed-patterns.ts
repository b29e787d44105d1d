import type { LdpParts } from '../../pool/messages.ts';
import { formatTerm, iri, parseTerm } from '../../rdf/model/term.ts';
import { NO_TERM, type TermId } from '../../rdf/model/term-id.ts';
import type { SnapshotReader } from '../../snapshot/read/reader.ts';
import type { LdpKind, MembershipConfiguration } from '../model/kinds.ts';
import { ldpKinds } from '../model/managed.ts';
import { describedBy, parentOf } from '../model/names.ts';
import { dcterms, ldp, RDF_TYPE, RDFS_LABEL } from '../model/vocabulary.ts';
import { LDP_GRAPH, LDP_MEMBER } from '../registry.ts';
import { configurationOf } from '../store/membership.ts';

/**
 * Managed triples of one sort that belong to a resource's representation. What of the graph of managed triples matches
 * one of a resource's patterns is the managed part of its representation, and nothing else is.
 */
export interface ManagedPattern {
  readonly part: keyof LdpParts;
  /** Absolute IRIs; null for any. A pattern has a subject or an object. */
  readonly subject: string | null;
  readonly predicate: string;
  readonly object: string | null;
  /** True: no client may state what matches and is not so (http-api L-12). False: it is the client's own triple then. */
  readonly closed: boolean;
}

/** The patterns of a resource of a kind, whether it exists yet or not (http-api L-10, L-12, L-49). */
export function managedPatterns(reader: SnapshotReader, target: string, kind: LdpKind): ManagedPattern[] {
  const isDescription = kind === 'description';
  const fixed = fixedPatterns(target, isDescription);
  if (isDescription) fixed.push(...fixedPatterns(describedBy(target), true));
  if (kind === 'direct' || kind === 'indirect') fixed.push(...configurationPatterns(target));
  return [...fixed, ...membershipPatterns(reader, target, isDescription)];
}

/**
 * Whether a triple that has a pattern's terms is of its sort. A membership may be stated with the properties of the
 * server's own types and labels (see `isManaged`), and is told from them by its object, in canonical form.
 */
export function isOfPart({ part, predicate }: ManagedPattern, object: () => string): boolean {
  if (predicate === RDF_TYPE) return (part === 'minimal') === ldpKinds.has(object().slice(1, -1));
  if (predicate === RDFS_LABEL) return (part === 'minimal') === object().startsWith('"');
  return true;
}

function fixedPatterns(subject: string, ofBinary: boolean): ManagedPattern[] {
  const patterns = [
    minimal(subject, dcterms.created),
    minimal(subject, dcterms.modified),
    minimal(subject, RDFS_LABEL, false),
    containment(subject),
    ...Array.from(ldpKinds, (kind) => ({ ...minimal(subject, RDF_TYPE), object: kind })),
  ];
  const { format, extent, isFormatOf, hasFormat } = dcterms;
  if (ofBinary)
    patterns.push(...[format, extent, isFormatOf, hasFormat].map((property) => minimal(subject, property)));
  return patterns;
}

function configurationPatterns(container: string): ManagedPattern[] {
  return [
    ldp.membershipResource,
    ldp.hasMemberRelation,
    ldp.isMemberOfRelation,
    ldp.insertedContentRelation,
  ].map((property) => minimal(container, property));
}

function minimal(subject: string, predicate: string, closed = true): ManagedPattern {
  return { part: 'minimal', subject, predicate, object: null, closed };
}

function containment(subject: string): ManagedPattern {
  return { part: 'containment', subject, predicate: ldp.contains, object: null, closed: true };
}

/** What a container's configuration claims: the membership triples that it may make. */
export function membershipPattern({
  membershipResource,
  relation,
  inverse,
}: MembershipConfiguration): ManagedPattern {
  return {
    part: 'membership',
    subject: inverse ? null : membershipResource,
    predicate: relation,
    object: inverse ? membershipResource : null,
    closed: true,
  };
}

function membershipPatterns(
  reader: SnapshotReader,
  target: string,
  isDescription: boolean,
): ManagedPattern[] {
  const patterns = new Map<string, ManagedPattern>();
  const add = (pattern: ManagedPattern) =>
    patterns.set(`${pattern.subject} ${pattern.predicate} ${pattern.object}`, pattern);
  for (const container of [target, ...containersOfMembers(reader, target)]) {
    const configuration = configurationOf(reader, container);
    if (configuration) add(membershipPattern(configuration));
  }
  for (const container of containersWithMember(reader, target)) {
    const configuration = configurationOf(reader, container);
    if (configuration?.inverse) add(memberPattern(target, configuration));
  }
  if (isDescription) {
    const configuration = configurationOf(reader, parentOf(target));
    if (configuration?.inverse && isOfChildren(configuration)) {
      add(memberPattern(describedBy(target), configuration));
    }
  }
  return [...patterns.values()];
}

function isOfChildren({ insertedContentRelation }: MembershipConfiguration): boolean {
  return insertedContentRelation === null || insertedContentRelation === ldp.MemberSubject;
}

/** The one triple that makes a resource a member, in the inverse form. */
function memberPattern(
  member: string,
  { membershipResource, relation }: MembershipConfiguration,
): ManagedPattern {
  return {
    part: 'membership',
    subject: member,
    predicate: relation,
    object: membershipResource,
    closed: false,
  };
}

/** The containers whose membership resource it is. */
function containersOfMembers(reader: SnapshotReader, resource: string): string[] {
  const found: TermId[] = [];
  const managed = reader.within([idOf(reader, LDP_GRAPH)]);
  managed.subjects(idOf(reader, ldp.membershipResource), idOf(reader, resource), found);
  return iris(reader, found);
}

/** The containers that may have made it a member: its own, and those with a child for which it was made one. */
function containersWithMember(reader: SnapshotReader, member: string): Set<string> {
  const children: TermId[] = [];
  const id = idOf(reader, member);
  if (id !== NO_TERM) reader.registry.subjects(reader.find(LDP_MEMBER), id, children);
  return new Set([member, ...iris(reader, children)].map(parentOf));
}

function idOf(reader: SnapshotReader, value: string): TermId {
  return reader.find(formatTerm(iri(value)));
}

function iris(reader: SnapshotReader, ids: readonly TermId[]): string[] {
  return ids.map((id) => parseTerm(reader.text(id)).value);
}
