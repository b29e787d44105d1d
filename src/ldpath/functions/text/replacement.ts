/**
 * The replacement text of `fn:replace`: `$1`, `$12`, `${name}`, and `\` before any other character
 * (ldpath 5.8). Numbers refer to groups.
 */
export type Replacement = readonly (string | number)[];

/**
 * Returns null if a `$` does not refer to an existing group. `groupCount` is the number of groups
 * in the pattern.
 */
export function parseReplacement(
  text: string,
  groupCount: number,
  groupNames: ReadonlyMap<string, number>,
): Replacement | null {
  const parts: (string | number)[] = [];
  for (const match of text.matchAll(/\\([\s\S])|\$\{([A-Za-z][A-Za-z0-9]*)\}|\$(\d+)|([^\\$]+|[\s\S])/g)) {
    const [whole, escaped, name, digits, other] = match;
    if (escaped !== undefined) parts.push(escaped);
    else if (digits !== undefined) {
      const reference = longestGroup(digits, groupCount);
      if (reference === null) return null;
      parts.push(reference.group, reference.rest);
    } else if (name !== undefined) {
      const group = groupNames.get(name);
      if (group === undefined) return null;
      parts.push(group);
    } else if (other === '$' || whole === '\\') return null;
    else parts.push(whole);
  }
  return parts;
}

/** Reads as many digits as form the number of a group; the remaining digits are text. */
function longestGroup(digits: string, groupCount: number): { group: number; rest: string } | null {
  let length = 1;
  if (Number(digits[0]) > groupCount) return null;
  while (length < digits.length && Number(digits.slice(0, length + 1)) <= groupCount) length++;
  return { group: Number(digits.slice(0, length)), rest: digits.slice(length) };
}

/** `groups`: the texts of a match's groups. */
export function expandReplacement(replacement: Replacement, groups: readonly (string | undefined)[]): string {
  return replacement.map((part) => (typeof part === 'string' ? part : (groups[part] ?? ''))).join('');
}
