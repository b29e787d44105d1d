import { sparqlTokens } from './tokens.ts';

/** Whether an update names by itself the graphs that its patterns are about (USING, WITH). */
export function namesGraphs(update: string): boolean {
  return sparqlTokens(update).some(({ kind, text }) => kind === 'word' && /^(?:USING|WITH)$/i.test(text));
}
