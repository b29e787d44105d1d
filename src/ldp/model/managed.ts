import { dcterms, ldp, RDF_TYPE } from './vocabulary.ts';

/** The kinds of http-api L-12: only the server decides the kind of a resource. */
export const ldpKinds: ReadonlySet<string> = new Set([
  ldp.Resource,
  ldp.RDFSource,
  ldp.NonRDFSource,
  ldp.Container,
  ldp.BasicContainer,
  ldp.DirectContainer,
  ldp.IndirectContainer,
]);

/**
 * Predicates whose triples in the managed graph have a fixed meaning, so that membership triples
 * may not use them.
 */
const reserved: ReadonlySet<string> = new Set([
  ldp.contains,
  ldp.membershipResource,
  ldp.hasMemberRelation,
  ldp.isMemberOfRelation,
  ldp.insertedContentRelation,
  ...Object.values(dcterms),
]);

/**
 * Whether a membership triple would look like another managed triple: containment, configuration,
 * date or type of a resource. Containers that would make such triples are rejected.
 */
export function isManaged(predicate: string, object: string): boolean {
  return reserved.has(predicate) || (predicate === RDF_TYPE && ldpKinds.has(object));
}
