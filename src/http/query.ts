import { failure, type Result } from '../errors.ts';

/** Parameters whose values are IRIs or media types: there a literal `+` stays `+` (G-12). */
const plusIsLiteral: ReadonlySet<string> = new Set([
  'uri',
  'graph',
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
/** Each takes time and memory beyond that of its characters. */
const MAX_PARAMETERS = 1000;

/** The decoded parameters of a query string, in their order (http-api 1.3). */
export class Query {
  readonly #names: readonly string[];
  readonly #values: readonly string[];

  constructor(names: readonly string[], values: readonly string[]) {
    this.#names = names;
    this.#values = values;
  }

  /** The first value of a parameter; undefined when it is missing or blank (G-14). */
  get(name: string): string | undefined {
    const value = this.#values[this.#names.indexOf(name)];
    return value === undefined || isBlank(value) ? undefined : value;
  }

  /** Whether a flag is set, with or without a value (G-14). */
  has(name: string): boolean {
    return this.#names.includes(name);
  }

  /** All values of a parameter, blank ones as well. */
  values(name: string): string[] {
    return this.#values.filter((_, i) => this.#names[i] === name);
  }

  /** These parameters, then those of another. */
  concat(other: Query): Query {
    return new Query([...this.#names, ...other.#names], [...this.#values, ...other.#values]);
  }

  /** All values, blank ones left out, of parameters with one of these names, in the order given. */
  all(...names: readonly string[]): string[] {
    return this.#values.filter((value, i) => names.includes(this.#names[i]!) && !isBlank(value));
  }

  /** What the `ns_<prefix>` parameters declare (P-3), each by its first occurrence, blank ones left out (G-14); undefined for nothing. */
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
 * Parses a raw query string. Error `bad-query`: escapes that are no UTF-8 (G-11), too many
 * parameters.
 */
export function parseQuery(raw: string): Result<Query> {
  // Bytes that were not UTF-8 arrive as replacement characters.
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
    return failure('bad-query', `The ${what} may have ${MAX_PARAMETERS} parameters at most.`);
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    return badEscape(what);
  }
}

function badEscape(what: string): Result<never> {
  return failure('bad-query', `The ${what} has a percent-escape that is incomplete or not UTF-8.`);
}

/**
 * Undefined for too many pairs. Throws `URIError`. Every evaluation comes with a query string, so
 * each character is looked for only once, also where it is missing.
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
