const element = /^\s*([^\s;]+)\s*(?:;\s*q\s*=\s*(\d*\.?\d*)\s*)?$/i;

/**
 * Whether a client accepts gzip and does not prefer an uncompressed response (RFC 9110 section
 * 12.5.3).
 */
export function acceptsGzip(header: string | undefined): boolean {
  const weights = new Map<string, number>();
  for (const text of (header ?? '').split(',')) {
    const [, coding, weight] = element.exec(text) ?? [];
    if (coding !== undefined) weights.set(coding.toLowerCase(), weight === undefined ? 1 : Number(weight));
  }
  const compressed = weights.get('gzip') ?? weights.get('x-gzip') ?? weights.get('*') ?? 0;
  return compressed > 0 && compressed >= (weights.get('identity') ?? 0);
}
