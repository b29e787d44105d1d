/** The restrictions on clients below `/ldp`, for human readers (http-api 5.12). */
const TITLE = 'Constraints of this Linked Data Platform server';

const constraints: readonly (readonly [heading: string, text: string])[] = [
  [
    'Managed properties',
    'Only the server writes these properties of a resource: ldp:contains, dcterms:created, dcterms:modified, and rdf:type with one of the types of the LDP vocabulary; for binaries and their descriptions also dcterms:format, dcterms:extent, dcterms:isFormatOf and dcterms:hasFormat; for Direct and Indirect Containers also their configuration and the membership triples. A PUT may repeat such triples unchanged or leave them out, which keeps them; any other value is rejected with 409. When a resource is created, the server replaces dates by its own, accepts types that agree with the interaction model, and rejects ldp:contains.',
  ],
  [
    'Configuration of containers',
    'The membership resource, the membership relation and the inserted-content relation of a Direct or Indirect Container are set by the request that creates it, and never change. A Direct Container has one membership resource and one relation (ldp:hasMemberRelation or ldp:isMemberOfRelation), both IRIs; the defaults are the container itself and ldp:member. An Indirect Container needs exactly one ldp:insertedContentRelation.',
  ],
  [
    'Interaction models',
    'A resource keeps the model that it was created with: an RDF source, a Basic, Direct or Indirect Container, or a binary. A request for another model is rejected with 409, and so is a PUT that replaces a binary by an RDF source or the reverse.',
  ],
  [
    'Containment',
    'Containment and membership change only by a POST to a container, a PUT that creates a resource, or a DELETE.',
  ],
  [
    'Deletion',
    'A container that is not empty cannot be deleted; there is no recursive deletion. The root container cannot be deleted, and the description of a binary is deleted only together with the binary.',
  ],
  [
    'URIs',
    'The URI of a deleted resource is never used again: requests for it return 410. Names ending in .meta are reserved for the descriptions of binaries. URIs do not end with a slash.',
  ],
  [
    'Conditional requests',
    'A PUT to an existing resource requires If-Match with an entity tag of its current state (or If-Unmodified-Since): without a precondition it is rejected with 428, with a wrong one with 412. For PATCH, POST and DELETE, preconditions are optional.',
  ],
  [
    'Patches',
    'PATCH accepts application/sparql-update with INSERT DATA, DELETE DATA, DELETE WHERE and DELETE/INSERT … WHERE on the representation of a single resource; GRAPH, WITH, USING, SERVICE, LOAD, CLEAR, DROP, CREATE, ADD, COPY and MOVE are rejected with 422. It also accepts application/rdf-patch with A and D lines; a blank node in a D line is rejected with 422. By default, a patch may have up to 1 MiB. It is applied as a whole or not at all.',
  ],
];

export function constraintsAsHtml(): string {
  const sections = constraints.map(([heading, text]) => `<h2>${heading}</h2>\n<p>${text}</p>\n`).join('');
  const head = `<meta charset="utf-8">\n<title>${TITLE}</title>`;
  return `<!DOCTYPE html>\n<html lang="en">\n${head}\n<h1>${TITLE}</h1>\n${sections}</html>\n`;
}

export function constraintsAsText(): string {
  const sections = constraints.map(([heading, text]) => `${heading}\n\n${text}\n`);
  return [`${TITLE}\n`, ...sections].join('\n');
}
