import { AppError } from '../../../errors.ts';
import { tokensOf } from '../tokens.ts';

/** Brackets that may be open at once. What reads them calls itself for each. */
const MAX_DEPTH = 200;

/** Error `too-large`, as soon as it is known, for brackets within brackets without end. */
export function refuseDeep(text: string): void {
  let depth = 0;
  for (const token of tokensOf(text)) {
    if (token.kind !== 'symbol') continue;
    if ('{[('.includes(token.text)) depth++;
    else if ('}])'.includes(token.text)) depth--;
    if (depth > MAX_DEPTH) throw new AppError('too-large', tooDeep, { source: 'body' });
  }
}

const tooDeep = `The update is nested too deeply: ${MAX_DEPTH} brackets may be open at once.`;
