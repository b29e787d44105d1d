import { failure, type Result } from '../errors.ts';

/** Parameters whose values are IRIs or media types: in these a literal `+` stays `+` (G-12). */
const plusIsLiteral: ReadonlySet<string> = new Set([
  'uri',
  'graph',
  'type',
  'genid',
  'context',
  'context[]',
  'ctx',
  'ctx[]',
  'format',
  'output',
  'default-graph-uri',
  'named-graph-uri',
  'using-graph-uri',
  'using-named-graph-uri',
]);
const NAMESPACE_PREFIX = 'ns_';
/** Each parameter needs time and memory in addition to that for its characters. */
const MAX_PARAMETERS = 1000;

/** The decoded parameters of a query string, in order (http-api 1.3). */
export class Query {
  readonly #names: readonly string[];
  readonly #values: readonly string[];

  constructor(names: readonly string[], values: readonly string[]) {
    this.#names = names;
    this.#values = values;
  }

  /** Returns the first value of a parameter, or undefined if it is missing or blank (G-14). */
  get(name: string): string | undefined {
    const value = this.#values[this.#names.indexOf(name)];
    return value === undefined || isBlank(value) ? undefined : value;
  }

  /** Whether a flag is set, with or without a value (G-14). */
  has(name: string): boolean {
    return this.#names.includes(name);
  }

  /** Returns all values of a parameter, including blank ones. */
  values(name: string): string[] {
    return this.#values.filter((_, i) => this.#names[i] === name);
  }

  /** Returns these parameters followed by those of another query. */
  concat(other: Query): Query {
    return new Query([...this.#names, ...other.#names], [...this.#values, ...other.#values]);
  }

  /**
   * Returns all values of parameters with one of these names, in the order of the query, without
   * blank ones.
   */
  all(...names: readonly string[]): string[] {
    return this.#values.filter((value, i) => names.includes(this.#names[i]!) && !isBlank(value));
  }

  /**
   * Returns the namespaces that the `ns_<prefix>` parameters declare (P-3), or undefined if there
   * are none. The first occurrence of a prefix counts, and blank ones are left out (G-14).
   */
  namespaces(): Record<string, string> | undefined {
    let first: Map<string, string> | undefined;
    for (let i = 0; i < this.#names.length; i++) {
      const name = this.#names[i]!;
      if (!name.startsWith(NAMESPACE_PREFIX)) continue;
      first ??= new Map();
      const prefix = name.slice(NAMESPACE_PREFIX.length);
      if (!first.has(prefix)) first.set(prefix, this.#values[i]!);
    }
    return first && withoutBlank(first);
  }
}

function withoutBlank(declared: ReadonlyMap<string, string>): Record<string, string> | undefined {
  const given = [...declared].filter(([, namespace]) => !isBlank(namespace));
  if (given.length === 0) return undefined;
  return Object.assign(Object.create(null) as Record<string, string>, Object.fromEntries(given));
}

function isBlank(value: string): boolean {
  return value.trim() === '';
}

/**
 * Parses a raw query string. Error `bad-query` for escapes that are not UTF-8 (G-11) and for too
 * many parameters.
 */
export function parseQuery(raw: string): Result<Query> {
  // Bytes that are not UTF-8 arrive as replacement characters.
  return raw.includes('\uFFFD') ? badEscape('query string') : parsePairs(raw, 'query string');
}

/** Parses the text of a form, with the same errors. */
export function parseForm(text: string): Result<Query> {
  return parsePairs(text, 'form');
}

function parsePairs(text: string, what: string): Result<Query> {
  try {
    const query = decodePairs(text);
    if (query) return { ok: true, value: query };
    return failure('bad-query', `The ${what} must not have more than ${MAX_PARAMETERS} parameters.`);
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    return badEscape(what);
  }
}

function badEscape(what: string): Result<never> {
  return failure('bad-query', `The ${what} has a percent-escape that is incomplete or not UTF-8.`);
}

/**
 * Returns undefined if there are too many pairs. Throws `URIError`. Every evaluation has a query
 * string, so each separator is searched for only once, even if it is missing.
 */
function decodePairs(raw: string): Query | undefined {
  const names: string[] = [];
  const values: string[] = [];
  if (raw === '') return new Query(names, values);
  const hasPlus = raw.includes('+');
  let equals = -1;
  for (let from = 0, end = 0; end < raw.length; from = end + 1) {
    if (names.length === MAX_PARAMETERS) return undefined;
    end = indexOrEnd(raw, '&', from);
    if (equals < from) equals = indexOrEnd(raw, '=', from);
    const endOfName = Math.min(equals, end);
    const name = decode(raw.slice(from, endOfName), hasPlus);
    const plusMeansSpace = hasPlus && !plusIsLiteral.has(name) && !name.startsWith(NAMESPACE_PREFIX);
    names.push(name);
    values.push(decode(raw.slice(endOfName + 1, end), plusMeansSpace));
  }
  return new Query(names, values);
}

function indexOrEnd(text: string, character: string, from: number): number {
  const index = text.indexOf(character, from);
  return index === -1 ? text.length : index;
}

/** Throws `URIError`. */
function decode(text: string, plusMeansSpace: boolean): string {
  const spaced = plusMeansSpace ? text.replaceAll('+', ' ') : text;
  return spaced.includes('%') ? decodeURIComponent(spaced) : spaced;
}
