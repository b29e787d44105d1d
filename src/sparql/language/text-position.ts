/** Returns the line and the column of an offset, both counted from 1. */
export function positionIn(source: string, offset: number): { line: number; column: number } {
  let line = 1;
  let begin = 0;
  for (let at = 0; at < offset; at++) {
    const code = source.charCodeAt(at);
    if (code !== LINE_FEED && code !== CARRIAGE_RETURN) continue;
    const next = at + 1;
    if (code === CARRIAGE_RETURN && next < offset && source.charCodeAt(next) === LINE_FEED) at = next;
    line++;
    begin = at + 1;
  }
  return { line, column: offset - begin + 1 };
}

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
