/**
 * The interaction models that a client may request for a resource (http-api 5.8). Fixed when the
 * resource is created.
 */
export type InteractionModel = 'rdf-source' | 'basic' | 'direct' | 'indirect' | 'binary';

/** `description`: the RDF source that describes a `binary` (http-api L-5). */
export type LdpKind = InteractionModel | 'description';

/**
 * How a Direct or Indirect Container makes membership triples (http-api 5.7). All are absolute
 * IRIs.
 */
export interface MembershipConfiguration {
  readonly membershipResource: string;
  readonly relation: string;
  /**
   * True: `<member> <relation> <membershipResource>` (`ldp:isMemberOfRelation`); false: the
   * reverse.
   */
  readonly inverse: boolean;
  /** Null for a Direct Container that does not state one. */
  readonly insertedContentRelation: string | null;
}

/** Whether resources of this kind can contain children. */
export function isContainer(kind: LdpKind): boolean {
  return kind === 'basic' || kind === 'direct' || kind === 'indirect';
}
