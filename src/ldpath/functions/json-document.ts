import type { JSONValue } from 'json-p3';
import { meter } from './document-meter.ts';

/** A document wrapped, because a document can be a bare `null`. */
export interface JsonDocument {
  readonly value: JSONValue;
  /** The same with numbers that JavaScript would write otherwise as texts, marked; undefined where there are none. */
  readonly exact: JSONValue | undefined;
}

/** @throws SyntaxError */
export function parseJson(text: string): JsonDocument {
  const value = metered(JSON.parse(text) as JSONValue);
  return {
    value,
    exact: mayHaveExactNumbers(text) ? (JSON.parse(markExactNumbers(text)) as JSONValue) : undefined,
  };
}

/**
 * Numbers that keep their text: integers of so many digits that they need not be numbers of JavaScript, and decimals with
 * nothing behind the point. Strings and other numbers are matched to be passed over.
 */
const tokens = /"(?:[^"\\]|\\.)*"|(-?\d{16,})(?![\d.eE])|(-?\d+\.0)0*(?![\deE])|-?\d[\d.eE+-]*/g;
const MARK = '\\u0000';
const marked = /"\\u0000(-?\d+(?:\.0)?)"/g;

function mayHaveExactNumbers(text: string): boolean {
  return /\d{16}|\d\.0/.test(text) && !text.includes(MARK);
}

function markExactNumbers(text: string): string {
  return text.replace(tokens, (token, integer?: string, decimal?: string) => {
    const number = integer ?? decimal;
    return number === undefined ? token : `"${MARK}${number}"`;
  });
}

/** What stands at a place of a document: strings as they are, everything else as JSON. */
export function textAt(
  { exact }: JsonDocument,
  location: readonly (string | number)[],
  value: JSONValue,
): string {
  if (typeof value === 'string') return value;
  if (exact === undefined) return JSON.stringify(value);
  const found = location.reduce((at, key) => (at as Record<string | number, JSONValue>)[key]!, exact);
  return JSON.stringify(found).replace(marked, '$1');
}

/** Counts the nodes, and makes every later look at an element of an array count. */
function metered(value: JSONValue): JSONValue {
  const root = [value];
  let level: (JSONValue[] | Record<string, JSONValue>)[] = [root];
  for (let depth = 0; level.length > 0; depth++) {
    meter.depth(depth);
    level = level.flatMap(meterChildren);
  }
  return root[0]!;
}

/** The children that have children. */
function meterChildren(
  parent: JSONValue[] | Record<string, JSONValue>,
): (JSONValue[] | Record<string, JSONValue>)[] {
  const containers: (JSONValue[] | Record<string, JSONValue>)[] = [];
  for (const key of Object.keys(parent)) {
    meter.node();
    const child = (parent as Record<string, JSONValue>)[key]!;
    if (typeof child !== 'object' || child === null) continue;
    containers.push(child as JSONValue[] | Record<string, JSONValue>);
    if (Array.isArray(child)) Object.defineProperty(parent, key, { value: new Proxy(child, countReads) });
  }
  return containers;
}

const countReads: ProxyHandler<JSONValue[]> = {
  get: (array, key) => {
    meter.visit();
    return Reflect.get(array, key);
  },
};
