import { dcterms, ldp, RDF_TYPE } from './vocabulary.ts';

/** The kinds of http-api L-12: of what kind a resource is, only the server says. */
export const ldpKinds: ReadonlySet<string> = new Set([
  ldp.Resource,
  ldp.RDFSource,
  ldp.NonRDFSource,
  ldp.Container,
  ldp.BasicContainer,
  ldp.DirectContainer,
  ldp.IndirectContainer,
]);

/** Predicates whose triples in the managed graph have one meaning, so that no membership may be stated by them. */
const reserved: ReadonlySet<string> = new Set([
  ldp.contains,
  ldp.membershipResource,
  ldp.hasMemberRelation,
  ldp.isMemberOfRelation,
  ldp.insertedContentRelation,
  ...Object.values(dcterms),
]);

/**
 * Whether a membership triple would pass for another managed triple: containment, configuration, date or type of a
 * resource. No container may be configured to make such triples.
 */
export function isManaged(predicate: string, object: string): boolean {
  return reserved.has(predicate) || (predicate === RDF_TYPE && ldpKinds.has(object));
}
