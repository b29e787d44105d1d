import type { Result } from '../../../errors.ts';
import { withScopedBlankNodes } from './blank-nodes.ts';
import { withPlainConcatenations } from './concatenations.ts';
import { withGraphGroups } from './graph-groups.ts';
import type { Evaluate } from './seen-data.ts';
import { withZeroPaths } from './zero-paths.ts';

/**
 * Rewrites a text so that Oxigraph returns the results that SPARQL 1.1 defines. Most texts stay
 * unchanged. `evaluate` may throw for a text that is not valid SPARQL. Error `unsupported-sparql`
 * if only a wrong result is possible.
 */
export function correctedQuery(text: string, evaluate: Evaluate): Result<string> {
  // An escape may hide any character. Such texts are rare, and are not corrected.
  if (/\\u/i.test(text)) return { ok: true, value: text };
  let corrected = text;
  if (/group_concat/i.test(corrected)) corrected = withPlainConcatenations(corrected);
  if (/bnode/i.test(corrected)) corrected = withScopedBlankNodes(corrected);
  if (/[*?][\s<:?$#]/.test(corrected)) corrected = withZeroPaths(corrected, evaluate);
  return /graph/i.test(corrected) ? withGraphGroups(corrected, evaluate) : { ok: true, value: corrected };
}
