/**
 * Whether two lists of N-Quads lines are the same data except for blank node labels. Tries every
 * mapping, so it suits only a few blank nodes.
 */
export function isomorphic(left: readonly string[], right: readonly string[]): boolean {
  const wanted = normal(right);
  const from = labels(left);
  const to = labels(right);
  if (from.length !== to.length) return false;
  return permutations(to).some((image) => {
    const mapping = new Map(from.map((label, index) => [label, image[index]!]));
    return normal(left.map((line) => relabel(line, mapping))) === wanted;
  });
}

/** Matches a blank node, or a string or IRI, which is then skipped. */
const piece = /"(?:[^"\\]|\\.)*"|<[^>]*>|_:[^\s]+/g;

function labels(lines: readonly string[]): string[] {
  return [
    ...new Set(lines.flatMap((line) => line.match(piece) ?? []).filter((text) => text.startsWith('_:'))),
  ];
}

function relabel(line: string, mapping: ReadonlyMap<string, string>): string {
  return line.replace(piece, (text) => mapping.get(text) ?? text);
}

function normal(lines: readonly string[]): string {
  return [...new Set(lines)].sort().join('\n');
}

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((item, index) =>
    permutations(items.filter((_, other) => other !== index)).map((rest) => [item, ...rest]),
  );
}
