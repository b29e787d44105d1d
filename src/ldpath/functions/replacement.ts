/** The replacement text of `fn:replace`: `$1`, `$12`, `${name}`, and `\` before any other character (ldpath 5.8). */
export type Replacement = readonly (string | number | { readonly name: string })[];

/** Null for a `$` that refers to no group. `groupCount` is how many the pattern has. */
export function parseReplacement(
  text: string,
  groupCount: number,
  groupNames: ReadonlySet<string>,
): Replacement | null {
  const parts: (string | number | { name: string })[] = [];
  for (const match of text.matchAll(/\\([\s\S])|\$\{([A-Za-z][A-Za-z0-9]*)\}|\$(\d+)|([\s\S])/g)) {
    const [whole, escaped, name, digits, other] = match;
    if (escaped !== undefined) parts.push(escaped);
    else if (digits !== undefined) {
      const reference = longestGroup(digits, groupCount);
      if (reference === null) return null;
      parts.push(reference.group, reference.rest);
    } else if (name !== undefined) {
      if (!groupNames.has(name)) return null;
      parts.push({ name });
    } else if (other === '$' || whole === '\\') return null;
    else parts.push(whole);
  }
  return parts;
}

/** As many digits as make the number of a group; the others are text. */
function longestGroup(digits: string, groupCount: number): { group: number; rest: string } | null {
  let length = 1;
  if (Number(digits[0]) > groupCount) return null;
  while (length < digits.length && Number(digits.slice(0, length + 1)) <= groupCount) length++;
  return { group: Number(digits.slice(0, length)), rest: digits.slice(length) };
}

export function expandReplacement(replacement: Replacement, match: RegExpMatchArray): string {
  const expanded = replacement.map((part) => {
    if (typeof part === 'string') return part;
    return (typeof part === 'number' ? match[part] : match.groups?.[part.name]) ?? '';
  });
  return expanded.join('');
}
