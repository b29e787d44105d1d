/** The groups of operations, in the order of the document. */
export const tags = {
  Contexts: 'Named graphs, listed and addressed as in Apache Marmotta (http-api section 2).',
  Resources: 'Resources, their descriptions in RDF and their content (http-api section 3).',
  LDPath: 'The path language, evaluated from start resources (http-api section 4).',
  Prefixes: 'The prefixes that need no declaration (http-api 4.15).',
  'Linked Data Platform': 'Containers, RDF sources and binaries (http-api section 5).',
  Changes: 'Commits, one after another, for those who keep a copy or an index (http-api section 7).',
  SPARQL: 'The SPARQL 1.1 Protocol, the Graph Store Protocol, and the whole data set.',
  Tasks: 'Work that is running or waiting (http-api section 6).',
  Server: 'The state of the server, and the description of its interface.',
} as const;

export type Tag = keyof typeof tags;
