/**
 * Finds the path that leads to the cursor: the one whose continuation `/ldpath/util/path` proposes.
 * In `a = foaf:knows[foaf:name is "x" & foaf:` that is `foaf:knows/foaf:`, since a test begins at
 * the node that it tests.
 */

/** A bracket that is open, or the text outside of all brackets. */
interface Level {
  /** The path to the nodes at which this level begins; empty for the start resource. */
  readonly base: string;
  /** All of this level so far. */
  whole: string;
  /** The same from its last alternative or argument on. */
  last: string;
}

const TOKENS =
  /#[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|<[^\s<>]*>?|'''(?:[^\\]|\\[\s\S])*?(?:'''|$)|"[^"\n]*"?|'(?:[^'\\\n]|\\.)*'?|::|\^\^|[\s\S]/gu;
const SEPARATORS = ['=', '|', '&', ','];
const CALLED = /fn:[\p{L}\p{N}_.-]*\s*$/u;
/** What may stand before a path without being part of it. */
const NO_PATH = /^\s*(?:@(?:filter|boost)\b)?\s*!?\s*/;

/**
 * Returns the unfinished path at the end of the text before the cursor; undefined where no path can
 * stand, as after `::`.
 */
export function unfinishedPath(before: string): string | undefined {
  let levels = [newLevel('')];
  let isPath = true;
  for (const [token] of before.matchAll(TOKENS)) {
    if (token === ';') {
      levels = [newLevel('')];
      isPath = true;
    } else if (token === '::' || token === '^^') isPath = false;
    else if (!isComment(token)) readToken(levels, token);
  }
  const { base, last } = levels.at(-1)!;
  return isPath ? base + last.replace(NO_PATH, '') : undefined;
}

function readToken(levels: Level[], token: string): void {
  const level = levels.at(-1)!;
  if (token === '(') levels.push(newLevel(level.base + withoutCall(level.last)));
  else if (token === '[') levels.push(newLevel(`${(level.base + level.last.replace(NO_PATH, '')).trim()}/`));
  else if ((token === ')' || token === ']') && levels.length > 1) {
    levels.pop();
    const text = `${token === ')' ? '(' : '['}${level.whole}${token}`;
    append(levels.at(-1)!, text);
  } else {
    append(level, token);
    if (SEPARATORS.includes(token)) level.last = '';
  }
}

function newLevel(base: string): Level {
  return { base, whole: '', last: '' };
}

function append(level: Level, text: string): void {
  level.whole += text;
  level.last += text;
}

/** Arguments of a function begin at the node at which it is called. */
function withoutCall(path: string): string {
  return path.replace(NO_PATH, '').replace(CALLED, '').trimEnd();
}

function isComment(token: string): boolean {
  return token.startsWith('#') || token.startsWith('/*');
}
