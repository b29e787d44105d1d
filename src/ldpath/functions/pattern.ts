import type { EvaluationContext } from '../context.ts';

const inlineFlags = /^\(\?([ims]+)\)/;

/**
 * A regular expression of a program, found anywhere in a text; null, with a warning, for one that is none. Written
 * for the dialect of Java, of which flags at the beginning, as in `(?i)abc`, are understood (ldpath 5.8).
 */
export function compilePattern(context: EvaluationContext, called: string, source: string): RegExp | null {
  const flags = inlineFlags.exec(source)?.[1] ?? '';
  const body = source.replace(inlineFlags, '');
  const unique = [...new Set(flags)].join('');
  const pattern = tryPattern(body, `${unique}u`) ?? tryPattern(body, unique);
  if (pattern === null)
    context.warn(`fn:${called} got a malformed regular expression: ${source.slice(0, MAX_SHOWN)}`);
  return pattern;
}

const MAX_SHOWN = 100;

/** Strict first, for whole characters; then without, which forgives needless escapes. */
function tryPattern(body: string, flags: string): RegExp | null {
  try {
    return new RegExp(body, flags);
  } catch {
    return null;
  }
}
