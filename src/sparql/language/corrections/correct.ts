import type { Result } from '../../../errors.ts';
import { withScopedBlankNodes } from './blank-nodes.ts';
import { withPlainConcatenations } from './concatenations.ts';
import { withGraphGroups } from './graph-groups.ts';
import type { Evaluate } from './seen-data.ts';
import { withZeroPaths } from './zero-paths.ts';

/**
 * The text in a form for which Oxigraph gives the answers that SPARQL 1.1 defines, where it would
 * not as it is written. Most texts stay as they are. `evaluate` throws for a text that is not
 * SPARQL, or not always. Error `unsupported-sparql`: the answer could only be wrong.
 */
export function correctedQuery(text: string, evaluate: Evaluate): Result<string> {
  // An escape may hide any character; such texts are rare, and keep Oxigraph's answers.
  if (/\\u/i.test(text)) return { ok: true, value: text };
  let corrected = text;
  if (/group_concat/i.test(corrected)) corrected = withPlainConcatenations(corrected);
  if (/bnode/i.test(corrected)) corrected = withScopedBlankNodes(corrected);
  if (/[*?][\s<:?$#]/.test(corrected)) corrected = withZeroPaths(corrected, evaluate);
  return /graph/i.test(corrected) ? withGraphGroups(corrected, evaluate) : { ok: true, value: corrected };
}
