import type { StoredProgram } from '../../../../src/services/ldpath/stored-programs.ts';

/** One stored program, `people`. */
export const people: StoredProgram = {
  mode: 'program',
  name: 'people',
  source: 'name = foaf:name ;',
  namespaces: { foaf: 'http://xmlns.com/foaf/0.1/' },
  starts: undefined,
  commit: 3,
  modified: 0,
};

export const fakePrograms = { get: (name: string) => (name === 'people' ? people : undefined) };
