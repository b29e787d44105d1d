import type { QuadBlock } from '../../rdf/model/quad-block.ts';
import { formatTerm, iri } from '../../rdf/model/term.ts';
import { isIriTerm } from '../../rdf/model/triple-term.ts';
import { objectsInBlock } from '../../store/graphs/block-terms.ts';
import type { MembershipConfiguration } from '../model/kinds.ts';
import { isManaged } from '../model/managed.ts';
import { ldp } from '../model/vocabulary.ts';
import { constraintViolation } from './managed-errors.ts';

/** The properties that configure a Direct or Indirect Container when it is created. */
export const configurationProperties: readonly string[] = [
  ldp.membershipResource,
  ldp.hasMemberRelation,
  ldp.isMemberOfRelation,
  ldp.insertedContentRelation,
];

/**
 * Returns the configuration that a body states for the container that it creates, with the defaults
 * (http-api L-45, L-46).
 */
export function readConfiguration(
  block: QuadBlock,
  container: string,
  model: 'direct' | 'indirect',
): MembershipConfiguration {
  const value = (property: string) => onlyIri(block, container, property);
  const membershipResource = value(ldp.membershipResource) ?? container;
  const hasMember = value(ldp.hasMemberRelation);
  const isMemberOf = value(ldp.isMemberOfRelation);
  if (hasMember !== null && isMemberOf !== null) {
    throw constraintViolation('A container has one membership relation, not both', [
      ldp.hasMemberRelation,
      ldp.isMemberOfRelation,
    ]);
  }
  const insertedContentRelation = value(ldp.insertedContentRelation);
  checkInsertedContent(insertedContentRelation, model);
  const inverse = isMemberOf !== null;
  const relation = isMemberOf ?? hasMember ?? ldp.member;
  checkRelation(relation, inverse, membershipResource);
  return { membershipResource, relation, inverse, insertedContentRelation };
}

function onlyIri(block: QuadBlock, container: string, property: string): string | null {
  const [object, ...others] = objectsInBlock(block, formatTerm(iri(container)), formatTerm(iri(property)));
  if (object === undefined) return null;
  if (others.length > 0) throw constraintViolation('A container can have only one value of', [property]);
  if (!isIriTerm(object)) throw constraintViolation('Only an IRI can be the value of', [property]);
  return object.slice(1, -1);
}

function checkInsertedContent(relation: string | null, model: 'direct' | 'indirect'): void {
  const property = [ldp.insertedContentRelation];
  if (model === 'indirect' && relation === null) {
    throw constraintViolation('An Indirect Container needs exactly one value of', property);
  }
  if (model === 'direct' && relation !== null && relation !== ldp.MemberSubject) {
    throw constraintViolation('A Direct Container can only have ldp:MemberSubject as value of', property);
  }
}

/** Throws `constraint-violation` if membership triples would look like other managed triples. */
function checkRelation(relation: string, inverse: boolean, membershipResource: string): void {
  if (!isManaged(relation, inverse ? membershipResource : '')) return;
  const property = inverse ? ldp.isMemberOfRelation : ldp.hasMemberRelation;
  throw constraintViolation(`Only the server writes <${relation}>, so it cannot be the value of`, [property]);
}
