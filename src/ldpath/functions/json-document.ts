import type { JSONValue } from 'json-p3';
import { meter } from './document-meter.ts';

/** A document wrapped, because a document can be a bare `null`. */
export interface JsonDocument {
  readonly value: JSONValue;
}

/** @throws SyntaxError */
export function parseJson(text: string): JsonDocument {
  return { value: metered(JSON.parse(text) as JSONValue) };
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
