import type { JSONValue } from 'json-p3';
import { meter } from './document-meter.ts';

/** A document wrapped, because a document can be a bare `null`. */
export interface JsonDocument {
  readonly value: JSONValue;
  /** The same with long integers as texts, marked; undefined where there are none. */
  readonly exact: JSONValue | undefined;
}

/** @throws SyntaxError */
export function parseJson(text: string): JsonDocument {
  const value = metered(JSON.parse(text) as JSONValue);
  return {
    value,
    exact: hasLongIntegers(text) ? (JSON.parse(markLongIntegers(text)) as JSONValue) : undefined,
  };
}

/** Integers of as many digits need not be numbers of JavaScript. */
const longInteger = /"(?:[^"\\]|\\.)*"|(-?\d{16,})(?![\d.eE])|-?\d[\d.eE+-]*/g;
const MARK = '\\u0000';
const marked = /"\\u0000(-?\d+)"/g;

function hasLongIntegers(text: string): boolean {
  return /\d{16}/.test(text) && !text.includes(MARK);
}

function markLongIntegers(text: string): string {
  return text.replace(longInteger, (token, integer?: string) => (integer ? `"${MARK}${integer}"` : token));
}

/** What stands at a place of a document: strings as they are, everything else as JSON, integers with all digits. */
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
