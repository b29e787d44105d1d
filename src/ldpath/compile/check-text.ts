/** What editors show of the compilation of a text (http-api 4.14). */

import { LdPathError } from '../errors.ts';
import { tokenize } from '../syntax/lexer.ts';
import { type Place, SourceText } from '../syntax/source-text.ts';
import { type CompileOptions, compilePath, compileProgram } from './compiler.ts';
import type { Warning } from './warnings.ts';

export interface Check {
  /** The first error, if there is one; then all else is empty. */
  readonly errors: readonly Finding[];
  readonly warnings: readonly Finding[];
  /** The fields that count, in order. */
  readonly fields: readonly CheckedField[];
  /** Whether the program has `@filter` and `@boost`. */
  readonly filter: boolean;
  readonly boost: boolean;
}

/** The length is missing if it is not known, or if the text ends there. */
interface Finding extends Omit<Place, 'length'>, Partial<Pick<Place, 'length'>> {
  readonly code: string;
  readonly detail: string;
}

interface CheckedField extends Place {
  readonly name: string;
}

const none = { errors: [], warnings: [], fields: [], filter: false, boost: false } as const;

/** Errors of the text are in the result. */
export function check(kind: 'path' | 'program', text: string, options: CompileOptions): Check {
  try {
    return kind === 'path' ? checkPath(text, options) : checkProgram(text, options);
  } catch (error) {
    if (!(error instanceof LdPathError)) throw error;
    return { ...none, errors: [findingOf(error, new SourceText(text, kind))] };
  }
}

function checkPath(text: string, options: CompileOptions): Check {
  return { ...none, warnings: compilePath(text, options).warnings.map(fromWarning) };
}

function checkProgram(text: string, options: CompileOptions): Check {
  const { warnings, fields, filter, boost } = compileProgram(text, options);
  return {
    errors: [],
    warnings: warnings.map(fromWarning),
    fields: fields.map(({ name, site }) => ({ name, ...site.source.place(site.span) })),
    filter: filter !== undefined,
    boost: boost !== undefined,
  };
}

function fromWarning({ message, ...rest }: Warning): Finding {
  return { ...rest, detail: message };
}

function findingOf({ code, message, details }: LdPathError, source: SourceText): Finding {
  const { line = 1, column = 1 } = details;
  const offset = source.offset({ line, column });
  const length = wordLength(source, offset);
  return { code, detail: message, line, column, offset, ...(length > 0 && { length }) };
}

/**
 * Returns the length of the token at an offset, together with what follows it without a blank if
 * they are one name: `foaf:name`, `fn:concat`. 0 if there is no token.
 */
function wordLength(source: SourceText, offset: number): number {
  const { tokens } = tokenize(source);
  const first = tokens.findIndex(({ start }) => start === offset);
  if (first < 0 || tokens[first]!.kind === 'error') return 0;
  let last = first;
  while (isPartOfName(tokens[last]!.kind) && tokens[last + 1]?.start === tokens[last]!.end) {
    if (!isPartOfName(tokens[last + 1]!.kind)) break;
    last++;
  }
  return tokens[last]!.end - offset;
}

function isPartOfName(kind: string): boolean {
  return kind === 'name' || kind === ':' || kind === 'fn:';
}
