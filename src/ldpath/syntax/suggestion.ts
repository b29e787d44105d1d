/**
 * Returns the known name nearest to a mistyped one, or undefined if none is near (within an edit
 * distance of half its length, and at most three).
 */
export function nearest(name: string, known: Iterable<string>): string | undefined {
  const shown = name.slice(0, MAX_LENGTH);
  let best: string | undefined;
  let least = Math.min(3, Math.max(1, Math.floor(shown.length / 2))) + 1;
  for (const candidate of known) {
    const distance = editDistance(shown.toLowerCase(), candidate.toLowerCase());
    if (distance < least) [best, least] = [candidate, distance];
  }
  return best;
}

/** Returns a hint to append to an error message; empty if no known name is near. */
export function didYouMean(name: string, known: Iterable<string>): string {
  const candidate = nearest(name, known);
  return candidate === undefined ? '' : `; did you mean "${candidate}"?`;
}

const MAX_LENGTH = 40;

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const substituted = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(substituted, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[b.length]!;
}
