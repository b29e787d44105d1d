import { type NodeObject, PathpoolError } from '../../../../src/library/client/entry.ts';
import { client } from '../../app/client.ts';
import { requestServer } from '../../app/request.ts';
import { labelsOf } from '../../resources/labels.ts';
import type { Direction } from './direction.ts';
import { countsOf, valuesOf } from './sparql-values.ts';

/** The values of one property, or the resources that have the resource as a value. */
export interface Property {
  readonly property: string;
  readonly count: number;
  /** The first ones. */
  readonly values: readonly NodeObject[];
}

export interface Properties {
  readonly properties: readonly Property[];
  /** Properties that are left out, because there are too many. */
  readonly omitted: number;
}

const MAX_PROPERTIES = 250;
const FIRST_VALUES = 12;
/** Values that one more request returns. */
const PAGE = 200;

/**
 * Returns the properties of a resource with their first values. Paths need no copy of the data in
 * memory, as SPARQL does, and know blank nodes; SPARQL can count more values.
 */
export function propertiesOf(
  resource: string,
  direction: Direction,
  signal: AbortSignal,
): Promise<Properties> {
  const bySparql = async () => {
    const all = await countsOf(resource, direction, signal);
    const counts = all.slice(0, MAX_PROPERTIES);
    const slice = { direction, from: 0, count: FIRST_VALUES };
    const properties = counts.map(async ({ property, count }) => {
      return { property, count, values: await valuesOf(resource, { ...slice, property }, signal) };
    });
    return { properties: await Promise.all(properties), omitted: all.length - counts.length };
  };
  return withinBudget(resource, () => propertiesByPath(resource, direction, signal), bySparql);
}

async function propertiesByPath(
  resource: string,
  direction: Direction,
  signal: AbortSignal,
): Promise<Properties> {
  const all = await predicatesOf(resource, direction, signal);
  const candidates = all.slice(0, MAX_PROPERTIES);
  if (candidates.length === 0) return { properties: [], omitted: 0 };
  const program = candidates
    .map((property, i) => {
      const step = stepOf(property, direction);
      return `c${i} = fn:count(${step}) ; v${i} = fn:slice(${step}, 0, ${FIRST_VALUES}) ;`;
    })
    .join('\n');
  const fields = await client.ldpath.program(program, resource, { signal });
  const properties = candidates.flatMap((property, i) => {
    const count = Number(fields[`c${i}`]?.[0]?.value ?? 0);
    return count === 0 ? [] : [{ property, count, values: fields[`v${i}`] ?? [] }];
  });
  return { properties, omitted: all.length - candidates.length };
}

/** Returns the values that follow the first `from` ones. */
export function moreValues(
  resource: string,
  { property, direction, from }: { property: string; direction: Direction; from: number },
): Promise<NodeObject[]> {
  const path = `fn:slice(${stepOf(property, direction)}, ${from}, ${from + PAGE})`;
  return withinBudget(
    resource,
    () => client.ldpath.path(path, resource),
    () => valuesOf(resource, { direction, property, from, count: PAGE }),
  );
}

/** Does something in another way where a resource has too many values for LDPath. */
async function withinBudget<T>(
  resource: string,
  byPath: () => Promise<T>,
  bySparql: () => Promise<T>,
): Promise<T> {
  try {
    return await byPath();
  } catch (error) {
    const isTooMuch = error instanceof PathpoolError && error.code === 'budget-exceeded';
    if (!isTooMuch || resource.startsWith('_:')) throw error;
    return bySparql();
  }
}

/** Returns the labels of resources in values. */
export function labelsIn(
  values: Iterable<NodeObject>,
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  return labelsOf([...values].flatMap(resourceIn), signal);
}

/** How a resource in a value is named as a start resource; nothing for other values. */
function resourceIn({ type, value }: NodeObject): string[] {
  if (type === 'uri') return [value];
  return type === 'bnode' ? [`_:${value}`] : [];
}

/** The predicates of triples about the resource, or of all that refer to it. */
async function predicatesOf(resource: string, direction: Direction, signal: AbortSignal): Promise<string[]> {
  // The text after the last slash is dropped.
  const parameters = new URLSearchParams({ path: direction === 'out' ? './' : '^*/', ctx: resource });
  const response = await requestServer(`ldpath/util/path?${parameters}`, { signal });
  return (await response.json()) as string[];
}

function stepOf(property: string, direction: Direction): string {
  return direction === 'out' ? `<${property}>` : `^<${property}>`;
}
