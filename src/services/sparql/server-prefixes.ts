import type { ErrorData, Result } from '../../errors.ts';
import { missingDeclarations } from '../../sparql/language/undeclared.ts';
import type { PrefixService } from '../prefixes/service.ts';

/** The most characters of a text that is read for its prefixes. */
const MAX_LENGTH = 1024 * 1024;

/**
 * Asks with a text, and if that is not valid SPARQL, with the declarations that it lacks of
 * prefixes that the server knows. So a text that is valid never depends on these.
 */
export async function withServerPrefixes<T>(
  text: string,
  { table }: Pick<PrefixService, 'table'>,
  ask: (text: string) => Promise<Result<T>>,
): Promise<Result<T>> {
  const first = await ask(text);
  if (first.ok || first.error.code !== 'parse-error' || text.length > MAX_LENGTH) return first;
  const declarations = await missingDeclarations(text, table);
  if (declarations === '') return first;
  const second = await ask(declarations + text);
  return second.ok ? second : { ok: false, error: placedInText(second.error, declarations) };
}

/** Returns an error with its place in the text as it was sent. */
function placedInText(error: ErrorData, declarations: string): ErrorData {
  const { line, column } = error.details;
  if (line !== 1 || column === undefined) return error;
  return { ...error, details: { ...error.details, column: column - [...declarations].length } };
}
