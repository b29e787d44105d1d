import type { Result } from '../../../errors.ts';
import { withPlainConcatenations } from './concatenations.ts';
import { withGraphGroups } from './graph-groups.ts';
import { type Ask, withZeroPaths } from './zero-paths.ts';

/** What corrections need to know of the data that a query sees. */
export interface SeenData {
  readonly ask: Ask;
  /** Names of all named graphs, read when they are needed. */
  readonly graphs: () => readonly string[];
}

/**
 * The text in a form for which Oxigraph gives the answers that SPARQL 1.1 defines, where it would not as it is written.
 * Most texts stay as they are. Error `unsupported-sparql`: the answer could only be wrong.
 */
export function correctedQuery(text: string, data: SeenData): Result<string> {
  // An escape may hide any character; such texts are rare, and keep Oxigraph's answers.
  if (/\\u/i.test(text)) return { ok: true, value: text };
  let corrected = text;
  if (/group_concat/i.test(corrected)) corrected = withPlainConcatenations(corrected);
  if (/[*?][\s<:]/.test(corrected)) corrected = withZeroPaths(corrected, data.ask);
  return /graph\s*[?$]/i.test(corrected)
    ? withGraphGroups(corrected, data.graphs)
    : { ok: true, value: corrected };
}
