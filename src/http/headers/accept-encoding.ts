const element = /^\s*([^\s;]+)\s*(?:;\s*q\s*=\s*(\d*\.?\d*)\s*)?$/i;

/**
 * Whether a client accepts gzip and does not prefer an uncompressed response (RFC 9110 section
 * 12.5.3).
 */
export function acceptsGzip(header: string | undefined): boolean {
  return acceptedCoding(header, ['gzip']) === 'gzip';
}

/**
 * Returns the first of the codings that a client accepts and to which it prefers no uncompressed
 * response; undefined if it accepts none of them so.
 */
export function acceptedCoding<T extends string>(
  header: string | undefined,
  codings: readonly T[],
): T | undefined {
  const weights = weightsIn(header);
  const identity = weights.get('identity') ?? 0;
  return codings.find((coding) => {
    const weight = weights.get(coding) ?? weights.get(`x-${coding}`) ?? weights.get('*') ?? 0;
    return weight > 0 && weight >= identity;
  });
}

function weightsIn(header: string | undefined): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const text of (header ?? '').split(',')) {
    const [, coding, weight] = element.exec(text) ?? [];
    if (coding !== undefined) weights.set(coding.toLowerCase(), weight === undefined ? 1 : Number(weight));
  }
  return weights;
}
