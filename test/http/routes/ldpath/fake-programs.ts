import type { StoredProgram } from '../../../../src/services/ldpath/stored-programs.ts';

/** A stored program that declares no set of start resources. */
export const people: StoredProgram = {
  mode: 'program',
  name: 'people',
  source: 'name = foaf:name ;',
  namespaces: { foaf: 'http://xmlns.com/foaf/0.1/' },
  starts: undefined,
  commit: 3,
  modified: 0,
};

/** One that does. */
const aged: StoredProgram = {
  ...people,
  name: 'aged',
  starts: { kind: 'type', iri: 'http://xmlns.com/foaf/0.1/Person' },
};

export const fakePrograms = { get: (name: string) => [people, aged].find((one) => one.name === name) };
