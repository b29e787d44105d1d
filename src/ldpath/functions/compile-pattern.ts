import { LRUCache } from 'lru-cache';
import { LdPathError } from '../errors.ts';
import type { EvaluationContext } from '../evaluate/context.ts';
import { JavaPattern } from '../regex/pattern.ts';

const MAX_CHARACTERS_KEPT = 100_000;
const MAX_SHOWN = 100;

const patterns = new LRUCache<string, JavaPattern>({
  maxSize: MAX_CHARACTERS_KEPT,
  sizeCalculation: (_pattern, source) => source.length + 1,
});

/**
 * Compiles a regular expression of a program; null, with a warning, if it is malformed (ldpath
 * 5.8).
 */
export function compilePattern(
  context: EvaluationContext,
  called: string,
  source: string,
): JavaPattern | null {
  const known = patterns.get(source);
  if (known !== undefined) return known;
  try {
    const pattern = new JavaPattern(source, context);
    patterns.set(source, pattern);
    return pattern;
  } catch (error) {
    if (error instanceof LdPathError) throw error;
    const reason = error instanceof Error ? error.message.slice(0, MAX_SHOWN) : String(error);
    context.warn(`fn:${called} got a malformed regular expression: ${source.slice(0, MAX_SHOWN)}: ${reason}`);
    return null;
  }
}
