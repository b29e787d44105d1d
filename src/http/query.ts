import { AppError, type Result, toErrorData } from '../errors.ts';

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
]);
const NAMESPACE_PREFIX = 'ns_';

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
    return value === undefined || value.trim() === '' ? undefined : value;
  }

  /** Whether a flag is set, with or without a value (G-14). */
  has(name: string): boolean {
    return this.#names.includes(name);
  }

  /** All values, blank ones left out, of parameters with one of these names, in the order given. */
  all(...names: readonly string[]): string[] {
    return this.#values.filter((value, i) => names.includes(this.#names[i]!) && value.trim() !== '');
  }

  /** What the `ns_<prefix>` parameters declare (P-3); undefined for nothing. */
  namespaces(): Record<string, string> | undefined {
    let declared: Record<string, string> | undefined;
    for (const [i, name] of this.#names.entries()) {
      if (!name.startsWith(NAMESPACE_PREFIX)) continue;
      declared ??= Object.create(null) as Record<string, string>;
      declared[name.slice(NAMESPACE_PREFIX.length)] ??= this.#values[i]!;
    }
    return declared;
  }
}

/** Parses a raw query string; error `bad-query` for escapes that are no UTF-8 (G-11). */
export function parseQuery(raw: string): Result<Query> {
  const names: string[] = [];
  const values: string[] = [];
  try {
    // Bytes that were not UTF-8 arrive as replacement characters.
    if (raw.includes('\uFFFD')) throw new URIError();
    for (const pair of raw === '' ? [] : raw.split('&')) {
      const equals = pair.indexOf('=');
      const name = decodeForm(equals === -1 ? pair : pair.slice(0, equals));
      names.push(name);
      values.push(equals === -1 ? '' : decodeValue(name, pair.slice(equals + 1)));
    }
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    return { ok: false, error: toErrorData(new AppError('bad-query', badQuery)) };
  }
  return { ok: true, value: new Query(names, values) };
}

const badQuery = 'The query string has a percent-escape that is incomplete or not UTF-8.';

function decodeValue(name: string, text: string): string {
  return plusIsLiteral.has(name) || name.startsWith(NAMESPACE_PREFIX) ? decodeOnce(text) : decodeForm(text);
}

function decodeForm(text: string): string {
  return decodeOnce(text.includes('+') ? text.replaceAll('+', ' ') : text);
}

/** Throws `URIError`. */
function decodeOnce(text: string): string {
  return text.includes('%') ? decodeURIComponent(text) : text;
}
