/** A value in a result. */
export type Term =
  | { readonly kind: 'iri' | 'blank' | 'triple'; readonly value: string }
  | {
      readonly kind: 'literal';
      readonly value: string;
      readonly language?: string;
      readonly datatype?: string;
    };

export type Direction = 'ascending' | 'descending';

export interface Order {
  readonly column: number;
  readonly direction: Direction;
}

const XSD = 'http://www.w3.org/2001/XMLSchema#';
const NUMERIC = new Set(
  `integer decimal double float long int short byte nonNegativeInteger nonPositiveInteger positiveInteger
  negativeInteger unsignedLong unsignedInt unsignedShort unsignedByte`
    .split(/\s+/)
    .map((name) => XSD + name),
);

/**
 * The result of SELECT, from its form in TSV: a result of 100,000 rows is divided into lines at
 * once, and a value is read when it is shown.
 */
export class Solutions {
  readonly variables: readonly string[];
  readonly #rows: readonly string[];

  constructor(tsv: string) {
    const lines = tsv.split('\n');
    // Each line ends with a line feed.
    if (lines.at(-1) === '') lines.pop();
    const [head = '', ...rows] = lines;
    this.variables = head === '' ? [] : head.split('\t').map((name) => name.slice(1));
    this.#rows = rows;
  }

  get count(): number {
    return this.#rows.length;
  }

  /** The values of a row; undefined where a variable is not bound. */
  row(index: number): (Term | undefined)[] {
    return (this.#rows[index] ?? '').split('\t').slice(0, this.variables.length).map(termOf);
  }

  term(index: number, column: number): Term | undefined {
    return termOf((this.#rows[index] ?? '').split('\t')[column] ?? '');
  }

  /** Returns the indexes of all rows in an order. */
  sorted({ column, direction }: Order): Uint32Array {
    const keys = this.#rows.map((_, index) => keyOf(this.term(index, column)));
    const sign = direction === 'ascending' ? 1 : -1;
    return Uint32Array.from(keys.keys()).sort((a, b) => sign * compareKeys(keys[a]!, keys[b]!) || a - b);
  }
}

/** Numbers come before texts, and what is missing comes first. */
type Key = number | string;

function keyOf(term: Term | undefined): Key {
  if (!term) return Number.NEGATIVE_INFINITY;
  return numberOf(term) ?? term.value;
}

function compareKeys(a: Key, b: Key): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b || 0;
  if (typeof a !== typeof b) return typeof a === 'number' ? -1 : 1;
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The value of a numeric literal. */
export function numberOf(term: Term | undefined): number | undefined {
  if (term?.kind !== 'literal' || !NUMERIC.has(term.datatype ?? '')) return undefined;
  const value = Number(term.value.replace('INF', 'Infinity'));
  return Number.isNaN(value) ? undefined : value;
}

function termOf(text: string): Term | undefined {
  if (text === '') return undefined;
  if (text.startsWith('<<(')) return { kind: 'triple', value: text };
  if (text.startsWith('<')) return { kind: 'iri', value: text.slice(1, -1) };
  if (text.startsWith('_:')) return { kind: 'blank', value: text };
  const [, quoted, language, datatype] = /^"(.*)"(?:@([\w-]+)|\^\^<(.*)>)?$/s.exec(text) ?? [];
  if (quoted === undefined) return { kind: 'literal', value: text, datatype: datatypeOf(text) };
  const value = unescaped(quoted);
  return { kind: 'literal', value, ...(language && { language }), ...(datatype && { datatype }) };
}

/** The datatype of a number or boolean without quotes. */
function datatypeOf(text: string): string {
  if (/^[+-]?\d+$/.test(text)) return `${XSD}integer`;
  if (/^[+-]?\d*\.\d+$/.test(text)) return `${XSD}decimal`;
  return text === 'true' || text === 'false' ? `${XSD}boolean` : `${XSD}double`;
}

const escapes: Readonly<Record<string, string>> = { t: '\t', n: '\n', r: '\r', b: '\b', f: '\f' };

export function unescaped(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replace(/\\(?:u([\dA-Fa-f]{4})|U([\dA-Fa-f]{8})|(.))/gs, (_, short, long, sign: string) => {
    const code: string | undefined = short ?? long;
    return code === undefined ? (escapes[sign] ?? sign) : String.fromCodePoint(Number.parseInt(code, 16));
  });
}
