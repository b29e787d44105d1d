/** Line and column of an offset, both from 1. */
export function positionIn(source: string, offset: number): { line: number; column: number } {
  const lines = source.slice(0, offset).split(/\r\n|\r|\n/);
  return { line: lines.length, column: lines.at(-1)!.length + 1 };
}
