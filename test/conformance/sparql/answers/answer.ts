import type { Quad } from 'n3';
import { type Row, sameRows } from './rows.ts';
import { termText, valueText } from './terms.ts';

/** The result of a query. */
export type Answer =
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'table'; readonly variables: readonly string[]; readonly rows: readonly Row[] }
  | { readonly kind: 'graph'; readonly rows: readonly Row[] };

/** How similar two results are: `value` if numbers have the same values in other spellings. */
export type Likeness = 'same' | 'value' | 'different';

export interface Order {
  /** Whether the order of rows matters, as with ORDER BY. */
  readonly rows: boolean;
  /** Whether the order of columns matters. */
  readonly variables: boolean;
}

export function graphOf(quads: readonly Quad[]): Answer {
  return { kind: 'graph', rows: triples(quads) };
}

/** Returns each triple once. */
export function triples(quads: readonly Quad[]): Row[] {
  const rows = quads.map(({ subject, predicate, object }) => [subject, predicate, object].map(termText));
  return [...new Map(rows.map((row) => [row.join(' '), row])).values()];
}

export function likeness(expected: Answer, actual: Answer, order: Order): Likeness {
  if (isSame(expected, actual, order)) return 'same';
  return isSame(withValues(expected), withValues(actual), order) ? 'value' : 'different';
}

function isSame(expected: Answer, actual: Answer, order: Order): boolean {
  if (expected.kind === 'boolean') return actual.kind === 'boolean' && actual.value === expected.value;
  if (expected.kind === 'graph') return actual.kind === 'graph' && sameRows(expected.rows, actual.rows);
  if (actual.kind !== 'table') return false;
  const names = order.variables ? expected.variables : [...expected.variables].sort();
  const others = order.variables ? actual.variables : [...actual.variables].sort();
  if (names.join(' ') !== others.join(' ')) return false;
  return sameRows(arranged(expected, names, order.rows), arranged(actual, names, order.rows));
}

/** Returns rows with columns in the order of `names`; in an ordered table, with their positions. */
function arranged(
  { variables, rows }: { readonly variables: readonly string[]; readonly rows: readonly Row[] },
  names: readonly string[],
  ordered: boolean,
): Row[] {
  const places = names.map((name) => variables.indexOf(name));
  return rows.map((row, at) => [...places.map((place) => row[place] ?? ''), ...(ordered ? [`${at}`] : [])]);
}

function withValues(answer: Answer): Answer {
  if (answer.kind === 'boolean') return answer;
  return { ...answer, rows: answer.rows.map((row) => row.map(valueText)) };
}

/** Describes the rows that only one result has; blank node labels may add rows. */
export function differenceText(expected: Answer, actual: Answer): string {
  const [wanted, found] = [lines(expected), lines(actual)];
  const missing = wanted.filter((line) => !found.includes(line));
  const extra = found.filter((line) => !wanted.includes(line));
  if (missing.length + extra.length === 0) return 'the same rows, in another order or number';
  return `expected ${missing.join(' ') || 'no more'}; came ${extra.join(' ') || 'nothing else'}`;
}

function lines(answer: Answer): string[] {
  if (answer.kind === 'boolean') return [String(answer.value)];
  const rows = answer.rows.map((row) => `(${row.map((cell) => cell || 'unbound').join(' ')})`);
  return answer.kind === 'table' ? [`[${answer.variables.join(' ')}]`, ...rows] : rows;
}
