import type { LdpParts } from '../../pool/messages.ts';
import { formatTerm, iri, parseTerm } from '../../rdf/model/term.ts';
import { NO_TERM, type TermId } from '../../rdf/model/term-id.ts';
import { LDP_GRAPH } from '../../snapshot/graphs/system-graph.ts';
import type { SnapshotReader } from '../../snapshot/read/reader.ts';
import type { LdpKind, MembershipConfiguration } from '../model/kinds.ts';
import { ldpKinds } from '../model/managed.ts';
import { describedBy, parentOf } from '../model/names.ts';
import { dcterms, ldp, RDF_TYPE, RDFS_LABEL } from '../model/vocabulary.ts';
import { LDP_MEMBER } from '../registry.ts';
import { configurationOf } from '../store/membership.ts';

/**
 * Managed triples of one sort that belong to a resource's representation. The managed part of a
 * representation consists of exactly those triples in the graph of managed triples that match one
 * of the resource's patterns.
 */
export interface ManagedPattern {
  readonly part: keyof LdpParts;
  /** Absolute IRIs; null matches all terms. A pattern has a subject or an object. */
  readonly subject: string | null;
  readonly predicate: string;
  readonly object: string | null;
  /**
   * True: a client may not state a matching triple that does not exist (http-api L-12). False: such
   * a triple is the client's own.
   */
  readonly closed: boolean;
}

/** The resources that a client sees. */
export interface Shown {
  showsResource(uri: string): boolean;
}

/**
 * Returns the patterns of a resource of a kind, whether it already exists or not (http-api L-10,
 * L-12, L-49). What containers that are hidden from the client make does not concern it.
 */
export function managedPatterns(
  reader: SnapshotReader,
  target: string,
  kind: LdpKind,
  shown: Shown,
): ManagedPattern[] {
  const isDescription = kind === 'description';
  const fixed = fixedPatterns(target, isDescription);
  if (isDescription) fixed.push(...fixedPatterns(describedBy(target), true));
  if (kind === 'direct' || kind === 'indirect') fixed.push(...configurationPatterns(target));
  return [...fixed, ...membershipPatterns(reader, target, isDescription, shown)];
}

/**
 * Whether a triple that matches a pattern's terms is of its sort. Membership triples may use the
 * predicates of the server's own types and labels (see `isManaged`). They differ in their object,
 * which is given in canonical form.
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

/** Returns the pattern of all membership triples that a container's configuration may make. */
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
  shown: Shown,
): ManagedPattern[] {
  const patterns = new Map<string, ManagedPattern>();
  const add = (pattern: ManagedPattern) =>
    patterns.set(`${pattern.subject} ${pattern.predicate} ${pattern.object}`, pattern);
  const configured = (container: string) =>
    shown.showsResource(container) ? configurationOf(reader, container) : null;
  for (const container of [target, ...containersOfMembers(reader, target)]) {
    const configuration = configured(container);
    if (configuration) add(membershipPattern(configuration));
  }
  for (const container of containersWithMember(reader, target, shown)) {
    const configuration = configured(container);
    if (configuration?.inverse) add(memberPattern(target, configuration));
  }
  if (isDescription) {
    const configuration = configured(parentOf(target));
    if (configuration?.inverse && isOfChildren(configuration)) {
      add(memberPattern(describedBy(target), configuration));
    }
  }
  return [...patterns.values()];
}

function isOfChildren({ insertedContentRelation }: MembershipConfiguration): boolean {
  return insertedContentRelation === null || insertedContentRelation === ldp.MemberSubject;
}

/** Returns the pattern of the inverse triple that makes a resource a member. */
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

/** Returns the containers with this membership resource. */
function containersOfMembers(reader: SnapshotReader, resource: string): string[] {
  const found: TermId[] = [];
  const managed = reader.within([idOf(reader, LDP_GRAPH)]);
  managed.subjects(idOf(reader, ldp.membershipResource), idOf(reader, resource), found);
  return iris(reader, found);
}

/**
 * Returns the containers that may have made a resource a member: its own container, and those with
 * a child that it was made a member for.
 */
function containersWithMember(reader: SnapshotReader, member: string, shown: Shown): Set<string> {
  const children: TermId[] = [];
  const id = idOf(reader, member);
  if (id !== NO_TERM) reader.registry.subjects(reader.find(LDP_MEMBER), id, children);
  const visible = iris(reader, children).filter((child) => shown.showsResource(child));
  return new Set([member, ...visible].map(parentOf));
}

function idOf(reader: SnapshotReader, value: string): TermId {
  return reader.find(formatTerm(iri(value)));
}

function iris(reader: SnapshotReader, ids: readonly TermId[]): string[] {
  return ids.map((id) => parseTerm(reader.text(id)).value);
}
