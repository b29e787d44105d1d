import type { StoredPrograms } from '../../../../services/ldpath/stored-programs.ts';

/** The service as handlers see it: without its private members, so that tests can replace it. */
export type Programs = Pick<StoredPrograms, keyof StoredPrograms>;
