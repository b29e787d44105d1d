/** One range of an `Accept` header, or the value of a `Content-Type`. Names are in lower case. */
export interface MediaRange {
  readonly type: string;
  readonly subtype: string;
  /** Weight, 0 to 1. */
  readonly q: number;
  readonly rel?: string;
  readonly charset?: string;
  /** IRIs, separated by spaces. */
  readonly profile?: string;
}

const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const mediaType = new RegExp(`[ \\t]*(${token})/(${token})[ \\t]*`, 'y');
const parameter = new RegExp(
  `;[ \\t]*(?:(${token})[ \\t]*(?:=[ \\t]*(?:(${token})|"((?:[^"\\\\]|\\\\.)*)"))?)?[ \\t]*`,
  'y',
);
/** Slightly wider than RFC 9110, since Java's own HTTP client sends `q=.2`. */
const weight = /^(?:0?\.\d+|0\.?|1(?:\.0*)?)$/;

/**
 * Returns the well-formed ranges of an `Accept` header, in order. Malformed ones and empty elements
 * are omitted (G-50, G-51).
 */
export function parseMediaRanges(header: string): MediaRange[] {
  return splitList(header)
    .map(parseMediaRange)
    .filter((range) => range !== undefined);
}

/** Returns a single media range with its parameters; undefined if it is malformed. */
export function parseMediaRange(text: string): MediaRange | undefined {
  mediaType.lastIndex = 0;
  const head = mediaType.exec(text);
  if (head === null) return undefined;
  const type = head[1]!.toLowerCase();
  const subtype = head[2]!.toLowerCase();
  if (type === '*' && subtype !== '*') return undefined;
  const parameters = parseParameters(text, mediaType.lastIndex);
  const q = parameters?.get('q') ?? '1';
  if (parameters === undefined || !weight.test(q)) return undefined;
  const rel = parameters.get('rel')?.toLowerCase();
  const charset = parameters.get('charset');
  const profile = parameters.get('profile');
  return {
    type,
    subtype,
    q: Number(q),
    ...(rel !== undefined && { rel }),
    ...(charset !== undefined && { charset }),
    ...(profile !== undefined && { profile }),
  };
}

/**
 * Returns the parameters up to the end of the text; the first of each name counts. Undefined if
 * they are malformed.
 */
function parseParameters(text: string, from: number): Map<string, string> | undefined {
  const parameters = new Map<string, string>();
  let position = from;
  while (position < text.length) {
    parameter.lastIndex = position;
    const match = parameter.exec(text);
    if (match === null) return undefined;
    const name = match[1]?.toLowerCase();
    const value = match[2] ?? match[3]?.replace(/\\(.)/g, '$1') ?? '';
    if (name !== undefined && !parameters.has(name)) parameters.set(name, value);
    position = parameter.lastIndex;
  }
  return parameters;
}

/** Splits at commas outside quoted strings. */
function splitList(header: string): string[] {
  return header.match(/(?:[^,"]|"(?:[^"\\]|\\.)*"?)+/g) ?? [];
}
