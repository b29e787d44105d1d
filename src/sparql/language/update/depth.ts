import { AppError } from '../../../errors.ts';
import { tokensOf } from '../tokens.ts';

/** The most brackets that may be open at once. The parser is recursive. */
const MAX_DEPTH = 200;

/** Throws `too-large` as soon as brackets are nested too deeply. */
export function rejectDeep(text: string): void {
  let depth = 0;
  for (const token of tokensOf(text)) {
    if (token.kind !== 'symbol') continue;
    if ('{[('.includes(token.text)) depth++;
    else if ('}])'.includes(token.text)) depth--;
    if (depth > MAX_DEPTH) throw new AppError('too-large', tooDeep, { source: 'body' });
  }
}

const tooDeep = `The update is nested too deeply: at most ${MAX_DEPTH} brackets may be open at once.`;
