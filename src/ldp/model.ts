/** What a client may ask a resource to be (http-api 5.8). Fixed when it is created. */
export type LdpModel = 'rdf-source' | 'basic' | 'direct' | 'indirect' | 'binary';

/** `description`: the RDF source that goes with a `binary` (http-api L-5). */
export type LdpKind = LdpModel | 'description';

/** How a Direct or Indirect Container makes membership triples (http-api 5.7). All are absolute IRIs. */
export interface MembershipConfiguration {
  readonly membershipResource: string;
  readonly relation: string;
  /** True: `<member> <relation> <membershipResource>` (`ldp:isMemberOfRelation`); else the other way round. */
  readonly inverse: boolean;
  /** Null where a Direct Container states none. */
  readonly insertedContentRelation: string | null;
}

/** Whether children can be made in it. */
export function isContainer(kind: LdpKind): boolean {
  return kind === 'basic' || kind === 'direct' || kind === 'indirect';
}
