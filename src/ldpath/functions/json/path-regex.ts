/**
 * Regular expressions of JSONPath, as defined by RFC 9485 (I-Regexp), translated to those of Java,
 * which run on a budget.
 */
import type { FilterFunction } from 'json-p3';
import { LRUCache } from 'lru-cache';
import { LdPathError } from '../../errors.ts';
import { JavaPattern, MAX_PATTERN_LENGTH } from '../../regex/pattern.ts';
import { meter } from '../document-meter.ts';

const MAX_PATTERNS_KEPT = 50;

/**
 * Returns `match(text, pattern)`, for the whole text, or `search(text, pattern)`, for a part of it.
 */
export function regexFunction({ argTypes, returnType }: FilterFunction, all: boolean): FilterFunction {
  const patterns = new LRUCache<string, Compiled>({ max: MAX_PATTERNS_KEPT });
  return {
    argTypes,
    returnType,
    call: (text: unknown, source: unknown) => {
      if (typeof text !== 'string' || typeof source !== 'string') return false;
      const { pattern } = patterns.get(source) ?? compile(source, all);
      patterns.set(source, { pattern });
      return pattern?.isFoundIn(text, meter) ?? false;
    },
  };
}

interface Compiled {
  /** Null for an invalid regular expression, which matches nothing. */
  readonly pattern: JavaPattern | null;
}

function compile(source: string, all: boolean): Compiled {
  const isExplicit = source.startsWith('^') || source.endsWith('$');
  const java = source.length > MAX_PATTERN_LENGTH ? null : toJava(source);
  if (java === null) return { pattern: null };
  try {
    return { pattern: new JavaPattern(all && !isExplicit ? `^(?:${java})\\z` : java, meter) };
  } catch (error) {
    if (error instanceof LdPathError) throw error;
    return { pattern: null };
  }
}

const category = '(?:L[lmotu]?|M[cen]?|N[dlo]?|P[cdefios]?|Z[lps]?|S[ckmo]?|C[cfno]?)';
const property = `\\\\[pP]\\{${category}\\}`;
const escaped = '\\\\[()*+\\-.?[\\\\\\]^nrt{|}]';
const member = `(?:[^\\-[\\\\\\]]|${escaped})`;
const token = new RegExp(
  `(?<characters>\\[\\^?-?(?:${member}(?:-${member})?|${property})*-?\\])|(?<any>\\.)|(?<end>\\$)|` +
    `${property}|${escaped}|(?:[*+?]|\\{\\d+(?:,\\d*)?\\})(?![*+?{])|\\((?!\\?)|[)|]|[^()*+.?[\\\\\\]{|}]`,
  'uy',
);

/**
 * Returns null if the expression contains something that is not allowed. Other errors are also
 * errors in Java's syntax.
 */
function toJava(source: string): string | null {
  const written: string[] = [];
  let open = 0;
  for (token.lastIndex = 0; token.lastIndex < source.length; ) {
    const match = token.exec(source);
    open += match?.[0] === '(' ? 1 : match?.[0] === ')' ? -1 : 0;
    if (match === null || open < 0) return null;
    const { characters, any, end } = match.groups!;
    if (characters !== undefined) written.push(characters.replaceAll('&', '\\&'));
    else if (any !== undefined) written.push('[^\\n\\r]');
    else written.push(end === undefined ? match[0] : '\\z');
  }
  return written.join('');
}
