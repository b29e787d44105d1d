import type { QuadBlock } from '../../rdf/model/quad-block.ts';
import { formatTerm, iri, parseTerm } from '../../rdf/model/term.ts';
import type { TermId } from '../../rdf/model/term-id.ts';
import { isIriTerm } from '../../rdf/model/triple-term.ts';
import { LDP_GRAPH } from '../../snapshot/graphs/system-graph.ts';
import type { SnapshotReader } from '../../snapshot/read/reader.ts';
import { objectsInBlock } from '../../store/graphs/block-terms.ts';
import type { InteractionModel, MembershipConfiguration } from '../model/kinds.ts';
import { isManaged } from '../model/managed.ts';
import { ldp } from '../model/vocabulary.ts';

/** A triple in canonical N-Triples form. */
export type TripleText = readonly [subject: string, predicate: string, object: string];

/**
 * Returns how a container makes membership triples (http-api 5.7); null if it makes none. Needs at
 * most four lookups, however many members there are.
 */
export function configurationOf(reader: SnapshotReader, container: string): MembershipConfiguration | null {
  const subject = reader.find(formatTerm(iri(container)));
  const managed = reader.within([reader.find(formatTerm(iri(LDP_GRAPH)))]);
  const objectOf = (predicate: string) => {
    const found: TermId[] = [];
    managed.objects(subject, reader.find(formatTerm(iri(predicate))), found);
    return found[0] === undefined ? null : parseTerm(reader.text(found[0])).value;
  };
  const membershipResource = objectOf(ldp.membershipResource);
  if (membershipResource === null) return null;
  const inverseRelation = objectOf(ldp.isMemberOfRelation);
  return {
    membershipResource,
    relation: inverseRelation ?? objectOf(ldp.hasMemberRelation) ?? ldp.member,
    inverse: inverseRelation !== null,
    insertedContentRelation: objectOf(ldp.insertedContentRelation),
  };
}

/** Returns the triples that state a container's configuration. */
export function configurationTriples(
  container: string,
  { membershipResource, relation, inverse, insertedContentRelation }: MembershipConfiguration,
): TripleText[] {
  const triple = (predicate: string, object: string): TripleText => [
    formatTerm(iri(container)),
    formatTerm(iri(predicate)),
    formatTerm(iri(object)),
  ];
  return [
    triple(ldp.membershipResource, membershipResource),
    triple(inverse ? ldp.isMemberOfRelation : ldp.hasMemberRelation, relation),
    ...(insertedContentRelation === null
      ? []
      : [triple(ldp.insertedContentRelation, insertedContentRelation)]),
  ];
}

/** Returns the membership triple of one member, an IRI (http-api L-47). */
export function membershipTriple(
  { membershipResource, relation, inverse }: MembershipConfiguration,
  member: string,
): TripleText {
  const predicate = formatTerm(iri(relation));
  const [subject, object] = inverse ? [member, membershipResource] : [membershipResource, member];
  return [formatTerm(iri(subject)), predicate, formatTerm(iri(object))];
}

/** The properties of a new child that determine its members. */
interface NewChild {
  readonly uri: string;
  readonly model: InteractionModel;
  /** Its user triples. */
  readonly block: QuadBlock | null;
}

/**
 * Returns the IRIs that become members when a child is created (http-api L-47, L-48), without
 * duplicates.
 */
export function membersFor(configuration: MembershipConfiguration, child: NewChild): string[] {
  const { insertedContentRelation, inverse, relation, membershipResource } = configuration;
  const members = followsContent(insertedContentRelation)
    ? contentMembers(child, insertedContentRelation)
    : [child.uri];
  // A type that only the server assigns can't be a membership triple.
  return members.filter((member) => !isManaged(relation, inverse ? membershipResource : member));
}

function followsContent(relation: string | null): relation is string {
  return relation !== null && relation !== ldp.MemberSubject;
}

function contentMembers({ uri, model, block }: NewChild, relation: string): string[] {
  if (model === 'binary' || block === null) return [];
  const predicate = formatTerm(iri(relation));
  const own = objectsInBlock(block, formatTerm(iri(uri)), predicate);
  const objects = own.length > 0 ? own : objectsInBlock(block, null, predicate);
  return objects.filter(isIriTerm).map((object) => object.slice(1, -1));
}
