/** The restrictions on clients below `/ldp`, for human readers (http-api 5.12). */
const TITLE = 'Constraints of this Linked Data Platform server';

const constraints: readonly (readonly [heading: string, text: string])[] = [
  [
    'Managed properties',
    'The server alone writes, about a resource itself: ldp:contains, dcterms:created, dcterms:modified, and rdf:type with one of the kinds of the LDP vocabulary; for binaries and their descriptions also dcterms:format, dcterms:extent, dcterms:isFormatOf and dcterms:hasFormat; for Direct and Indirect Containers also their configuration and the membership triples. In a PUT, such triples may be repeated as they are or left out, which keeps them; any other value is refused with 409. When a resource is created, dates are replaced by the server’s, kinds that agree with the interaction model are accepted, and ldp:contains is refused.',
  ],
  [
    'Configuration of containers',
    'The membership resource, the membership relation and the inserted-content relation of a Direct or Indirect Container are those of the request that creates it, and never change. A Direct Container has one membership resource and one relation (ldp:hasMemberRelation or ldp:isMemberOfRelation), both IRIs; what is left out is the container itself and ldp:member. An Indirect Container needs exactly one ldp:insertedContentRelation.',
  ],
  [
    'Interaction models',
    'A resource is what it was created as: an RDF source, a Basic, Direct or Indirect Container, or a binary. A request that asks for another model, or an RDF source put in the place of a binary or the other way round, is refused with 409.',
  ],
  [
    'Containment',
    'Containment and membership change only by POST to a container, by PUT that creates a resource, and by DELETE.',
  ],
  [
    'Deletion',
    'A container that still contains something cannot be deleted; there is no recursive deletion. The root container cannot be deleted at all, and the description of a binary only together with the binary.',
  ],
  [
    'URIs',
    'The URI of a deleted resource is never used again: it answers 410. Names ending in .meta are reserved for the descriptions of binaries. URIs have no slash at their end.',
  ],
  [
    'Conditional requests',
    'A PUT to a resource that exists needs If-Match with an entity tag of its current state (or If-Unmodified-Since): without one it is refused with 428, with a wrong one with 412. For PATCH, POST and DELETE conditions are optional.',
  ],
  [
    'Patches',
    'PATCH takes application/sparql-update with INSERT DATA, DELETE DATA, DELETE WHERE and DELETE/INSERT … WHERE upon the representation of the one resource; GRAPH, WITH, USING, SERVICE, LOAD, CLEAR, DROP, CREATE, ADD, COPY and MOVE are refused with 422. It also takes application/rdf-patch with lines A and D; a blank node in a D line is refused with 422. A patch may be 1 MiB long unless the server is set up otherwise, and is applied as a whole or not at all.',
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
