import type { Row } from '../sparql/answers/rows.ts';

type Json = Readonly<Record<string, unknown>>;

/**
 * Rows of an expanded JSON-LD document: graph ('' for the default graph), node, property, and the
 * value, which takes one cell, or one for each item and bracket of a list. So documents that differ
 * only in order and in labels of blank nodes have the same rows.
 */
export function readExpanded(document: unknown, defaultGraph: string): Row[] {
  return (document as readonly Json[]).flatMap((node) => {
    const isDefault = node['@id'] === defaultGraph && '@graph' in node;
    return nodeRows(node, isDefault ? '' : undefined, '');
  });
}

/** `named`: the name of the graph that a node is, if that is not its identifier. */
function nodeRows(node: Json, named: string | undefined, graph: string): Row[] {
  const id = String(node['@id']);
  return Object.entries(node).flatMap(([property, value]) => {
    if (property === '@id') return [];
    const values = Array.isArray(value) ? value : [value];
    if (property === '@graph') return values.flatMap((inner) => nodeRows(inner, undefined, named ?? id));
    return values.map((each) => [graph, id, property, ...cells(each)]);
  });
}

function cells(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  const object = value as Json;
  const list = object['@list'];
  if (Array.isArray(list)) return ['[', ...list.flatMap(cells), ']'];
  return typeof object['@id'] === 'string' ? [object['@id']] : [sortedText(object)];
}

/** Returns JSON with sorted keys. */
function sortedText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(sortedText).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
  return `{${members.map(([key, each]) => `${JSON.stringify(key)}:${sortedText(each)}`).join()}}`;
}
