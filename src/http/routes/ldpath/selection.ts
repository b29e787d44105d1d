import { failure, noSuchProgram, type Result } from '../../../errors.ts';
import type { Selection } from '../../../pool/evaluation-request.ts';
import type { StoredProgram, StoredPrograms } from '../../../services/ldpath/stored-programs.ts';
import type { Query } from '../../query.ts';
import { declaredNamespaces } from './known-prefixes.ts';

/** The stored programs, for requests that name one. */
export type NamedPrograms = Pick<StoredPrograms, 'get'>;

/** Returns a path or program with the prefixes that the request declares. */
export function selectionOf(mode: 'path' | 'program', source: string, query: Query): Result<Selection> {
  if (!query.namespaces()) return { ok: true, value: { mode, source } };
  const namespaces = declaredNamespaces(query);
  return namespaces.ok ? { ok: true, value: { mode, source, namespaces: namespaces.value } } : namespaces;
}

/**
 * Returns the program of a request: the stored one that the parameter `name` names, or else the
 * text that was sent, which may be empty. Errors `bad-arguments` (P-43),
 * `program-not-found`.
 */
export function programOf(source: string, query: Query, programs: NamedPrograms): Result<Selection> {
  const name = query.get('name');
  if (name === undefined) return selectionOf('program', source, query);
  if (source !== '') return severalPrograms;
  return query.namespaces() ? ownPrefixes : storedProgram(programs, name);
}

/** Error `program-not-found`. */
export function storedProgram(programs: NamedPrograms, name: string): Result<StoredProgram> {
  const program = programs.get(name);
  return program ? { ok: true, value: program } : noSuchProgram(name);
}

const severalPrograms = failure('bad-arguments', "There must be either a program or 'name', not both.");

/** The error if a request declares prefixes for a stored program. */
export const ownPrefixes = failure(
  'bad-arguments',
  'A stored program has its own prefixes: a request that names it must not declare others.',
);
