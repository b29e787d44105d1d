import { setImmediate as turn } from 'node:timers/promises';
import type { SparqlToken } from './token.ts';
import { tokensOf } from './tokens.ts';

/** The number of tokens that can be read within a millisecond. */
const TURN_TOKENS = 2_000;

/**
 * Returns declarations of the prefixes that a text uses without declaring them, as far as they are
 * known, on one line; empty if there are none. It yields to the event loop regularly.
 */
export async function missingDeclarations(
  text: string,
  known: Readonly<Record<string, string>>,
): Promise<string> {
  const used = new Set<string>();
  const declared = new Set<string>();
  let before: SparqlToken | undefined;
  let count = 0;
  for (const token of tokensOf(text)) {
    if (++count % TURN_TOKENS === 0) await turn();
    if (token.kind === 'name') {
      const prefix = token.text.slice(0, token.text.indexOf(':'));
      if (before?.text.toUpperCase() === 'PREFIX') declared.add(prefix);
      else used.add(prefix);
    }
    before = token;
  }
  return Array.from(used)
    .filter((prefix) => !declared.has(prefix) && Object.hasOwn(known, prefix))
    .map((prefix) => `PREFIX ${prefix}: <${known[prefix]}> `)
    .join('');
}
