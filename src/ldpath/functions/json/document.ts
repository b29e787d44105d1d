import type { JSONValue } from 'json-p3';
import { meter } from '../document-meter.ts';

/** A wrapped document, because a document can be a bare `null`. */
export interface JsonDocument {
  readonly value: JSONValue;
  /**
   * The same document, in which numbers that JavaScript would write differently are replaced by
   * marked strings; undefined if there are none.
   */
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
 * Matches numbers that keep their text: integers with so many digits that JavaScript may not
 * represent them exactly, and decimals with only zeros after the point. Strings and other numbers
 * are matched in order to skip them.
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

/** Returns the value at a location of a document: strings as they are, everything else as JSON. */
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

type Container = JSONValue[] | Record<string, JSONValue>;

/** The number of nodes in a small container: searching it costs about as much as visiting it. */
const FEW_NODES = 16;
/** The number of characters that count as a node. */
const CHARACTERS_A_NODE = 512;

/** Counts the nodes, and makes later accesses to containers that are not small count, too. */
function metered(value: JSONValue): JSONValue {
  const root = [value];
  meterBelow(root, 0);
  return root[0]!;
}

/** Returns the number of nodes in a container, at all levels. */
function meterBelow(parent: Container, depth: number): number {
  meter.depth(depth);
  let nodes = 0;
  for (const key of Object.keys(parent)) {
    meter.node();
    const child = (parent as Record<string, JSONValue>)[key]!;
    const below = nodesIn(child, depth);
    nodes += 1 + below;
    if (below > FEW_NODES && typeof child === 'object')
      Object.defineProperty(parent, key, { value: new Proxy(child as Container, countLooks) });
  }
  return nodes;
}

function nodesIn(value: JSONValue, depth: number): number {
  if (typeof value === 'string') return Math.floor(value.length / CHARACTERS_A_NODE);
  return typeof value === 'object' && value !== null ? meterBelow(value as Container, depth + 1) : 0;
}

const countLooks: ProxyHandler<Container> = {
  get: (container, key) => {
    meter.visit();
    const value: unknown = Reflect.get(container, key);
    if (typeof value === 'string') meter.read(value.length);
    return value;
  },
  ownKeys: (container) => {
    const keys = Reflect.ownKeys(container);
    meter.visit(keys.length);
    return keys;
  },
};
