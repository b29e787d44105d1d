/**
 * Matches texts in which a slash is not a separator and a quote does not begin a string: names,
 * IRIs, strings, comments. They may be unfinished.
 */
const opaque =
  /(?:[\p{L}\p{N}_]|\\[\s\S])(?:[\p{L}\p{M}\p{N}_\-.']|\\[\s\S])*|<[^\s<>]*(?:>|$)|"[^"]*(?:"|$)|'''.*?(?:'''|$)|'(?:[^'\\]|\\.)*(?:'|\\?$)|\/\*.*?(?:\*\/|$)|#[^\r\n]*/suy;
const opening = '([{';
const closing = ')]}';

/**
 * Returns a path without its last top-level `/` and everything after it; `.` if nothing is left
 * (http-api 4.7).
 */
export function finishedPart(path: string): string {
  let depth = 0;
  let end = 0;
  for (let i = 0; i < path.length; i++) {
    const character = path[i]!;
    opaque.lastIndex = i;
    if (opaque.test(path)) i = opaque.lastIndex - 1;
    else if (opening.includes(character)) depth++;
    else if (closing.includes(character)) depth = Math.max(0, depth - 1);
    else if (character === '/' && depth === 0) end = i;
  }
  const finished = path.slice(0, end).trim();
  return finished === '' ? '.' : finished;
}
