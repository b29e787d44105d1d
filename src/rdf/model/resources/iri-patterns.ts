/**
 * A set of IRIs: some by name, and all in some trees. Plain data, so that it can be sent to other
 * threads.
 */
export interface IriPatterns {
  /** Equal for equal patterns. */
  readonly key: string;
  readonly names: readonly string[];
  /** Each matches every IRI that begins with it. */
  readonly prefixes: readonly string[];
}

/**
 * Reads patterns: an IRI, the beginning of IRIs followed by `*`, or a tree that ends with a slash
 * and `*`, to which the IRI before that slash belongs too.
 */
export function iriPatterns(patterns: Iterable<string>): IriPatterns {
  const sorted = [...new Set(patterns)].sort();
  const names = new Set<string>();
  const prefixes: string[] = [];
  for (const pattern of sorted) {
    if (!pattern.endsWith('*')) names.add(pattern);
    else prefixes.push(pattern.slice(0, -1));
    if (pattern.endsWith('/*')) names.add(pattern.slice(0, -2));
  }
  // No IRI has a line end, so different patterns have different keys.
  return { key: sorted.join('\n'), names: [...names], prefixes };
}

export function matchesPatterns({ names, prefixes }: IriPatterns, iri: string): boolean {
  return prefixes.some((prefix) => iri.startsWith(prefix)) || names.includes(iri);
}

/** Whether the patterns match every IRI. */
export function matchesAll({ prefixes }: IriPatterns): boolean {
  return prefixes.includes('');
}
