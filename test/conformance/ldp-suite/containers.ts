import { READ_ONLY } from './java.ts';

/** The containers on which the suite is run. */
export type ContainerKind = 'basic' | 'direct' | 'indirect' | 'inverse';

/**
 * Containers that are their own membership resource. `inverse` is a Direct Container with another
 * membership resource and `ldp:isMemberOfRelation`.
 */
export const ownContainers = ['basic', 'direct', 'indirect'] as const;
export type OwnContainer = (typeof ownContainers)[number];
export const allContainers = [...ownContainers, 'inverse'] as const;

const prefixes = `@prefix ldp: <http://www.w3.org/ns/ldp#> .
@prefix foaf: <http://xmlns.com/foaf/0.1/> .
@prefix dcterms: <http://purl.org/dc/terms/> .
`;

const bodies: Readonly<Record<ContainerKind, (resource: string) => string>> = {
  basic: () => '<> dcterms:title "Basic" .',
  direct: () => '<> dcterms:title "Direct" ; ldp:membershipResource <> ; ldp:hasMemberRelation ldp:member .',
  indirect:
    () => `<> dcterms:title "Indirect" ; ldp:membershipResource <> ; ldp:hasMemberRelation ldp:member ;
  ldp:insertedContentRelation foaf:primaryTopic .`,
  inverse: (resource) => `<> dcterms:title "Inverse" ; ldp:membershipResource <${resource}> ;
  ldp:isMemberOfRelation dcterms:isPartOf .`,
};

const typeOf: Readonly<Record<ContainerKind, string>> = {
  basic: 'BasicContainer',
  direct: 'DirectContainer',
  indirect: 'IndirectContainer',
  inverse: 'DirectContainer',
};

/** The options of the suite's command for a container. */
export function optionsFor(kind: ContainerKind, container: string, resource: string): readonly string[] {
  const model = kind === 'inverse' ? 'direct' : kind;
  const readOnly = ['--read-only-prop', READ_ONLY];
  return ['--server', container, `--${model}`, '--non-rdf', '--cont-res', resource, ...readOnly];
}

export function createContainer(baseUrl: string, kind: ContainerKind, resource: string): Promise<string> {
  return create(baseUrl, kind, typeOf[kind], bodies[kind](resource));
}

/** An RDF source whose body claims to be a container, which it is not (http-api L-53). */
export function createResource(baseUrl: string): Promise<string> {
  return create(baseUrl, 'resource', 'Resource', '<> a ldp:BasicContainer ; dcterms:title "No container" .');
}

/** The URI of what was made in the root container. */
async function create(baseUrl: string, slug: string, type: string, body: string): Promise<string> {
  const response = await fetch(`${baseUrl}/ldp`, {
    method: 'POST',
    headers: {
      'Content-Type': 'text/turtle',
      Link: `<http://www.w3.org/ns/ldp#${type}>; rel="type"`,
      Slug: slug,
    },
    body: prefixes + body,
  });
  const location = response.headers.get('location');
  if (response.status === 201 && location !== null) return location;
  throw new Error(`POST of a ${type} failed with ${response.status}: ${await response.text()}`);
}
