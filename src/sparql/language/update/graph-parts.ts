import { placeOf } from './declared-names.ts';
import type { UpdateSyntax } from './read-update.ts';
import { nodesOf } from './where-pattern.ts';

/** A part of an update that names graphs or other servers. */
export interface GraphPart {
  readonly keyword: string;
  /** Offset in the text. */
  readonly start: number;
}

type Located = Parameters<typeof placeOf>[0];

/** The members of interest of a syntax node of unknown type. */
interface AnyNode extends Located {
  readonly type?: unknown;
  readonly subType?: unknown;
  readonly graph?: unknown;
  readonly clauses?: readonly unknown[];
}

const onGraphs: ReadonlySet<unknown> = new Set(['load', 'clear', 'drop', 'create', 'add', 'move', 'copy']);

/**
 * Returns the first part of an update that concerns more than the triples of one graph; undefined
 * if there is none.
 */
export function firstGraphPart({ tree, cuts = [] }: UpdateSyntax): GraphPart | undefined {
  let first: GraphPart | undefined;
  const meet = (keyword: string, start: number) => {
    if (!first || start < first.start) first = { keyword, start };
  };
  for (const node of nodesOf(tree)) {
    const keyword = keywordOf(node as AnyNode);
    if (keyword !== undefined) meet(keyword, placeOf(node as AnyNode).start);
  }
  for (const { graph, start } of cuts.flatMap(({ runs }) => runs)) {
    if (graph !== undefined) meet('GRAPH', start);
  }
  return first;
}

function keywordOf({ type, subType, graph, clauses }: AnyNode): string | undefined {
  switch (type) {
    case 'updateOperation':
      if (graph !== undefined) return 'WITH';
      return onGraphs.has(subType) ? String(subType).toUpperCase() : undefined;
    case 'datasetClauses':
      return clauses && clauses.length > 0 ? 'USING' : undefined;
    case 'graph':
      return 'GRAPH';
    case 'pattern':
      return subType === 'graph' || subType === 'service' ? subType.toUpperCase() : undefined;
    default:
      return undefined;
  }
}
