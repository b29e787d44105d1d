import type {
  GraphQuads,
  PatternGraph,
  PatternService,
  TermIri,
  TermVariable,
} from '@traqula/rules-sparql-1-1';

/** The facts about a pattern that its update needs. */
export interface PatternFacts {
  /** IRIs after `GRAPH`. */
  readonly graphs: readonly TermIri[];
  /** The first `SERVICE` that is not `SILENT`. */
  readonly service: PatternService | undefined;
  readonly prefixes: ReadonlySet<string>;
}

/** Visits the whole tree, because expressions contain patterns too. */
export function patternFacts(tree: object): PatternFacts {
  const graphs: TermIri[] = [];
  const prefixes = new Set<string>();
  let service: PatternService | undefined;
  for (const node of nodesOf(tree)) {
    if ('prefix' in node && typeof node.prefix === 'string') prefixes.add(node.prefix);
    const name = graphOf(node);
    if (name?.subType === 'namedNode') graphs.push(name);
    if (isPattern(node, 'service') && !node.silent) service = node;
  }
  return { graphs, service, prefixes };
}

/** Yields all objects of a tree except those that are positions in the text. */
export function* nodesOf(tree: object): Generator<object> {
  const open = [tree];
  for (let node = open.pop(); node; node = open.pop()) {
    yield node;
    // Pushes one by one: VALUES may have more rows than a call can have arguments.
    for (const part of Object.values(node) as unknown[]) {
      if (typeof part === 'object' && part !== null && !('sourceLocationType' in part)) open.push(part);
    }
  }
}

/** Returns the graph of a `GRAPH` clause, in a pattern or in the template of `DELETE WHERE`. */
function graphOf(node: object): TermIri | TermVariable | undefined {
  if (isPattern(node, 'graph')) return node.name;
  return 'type' in node && node.type === 'graph' ? (node as GraphQuads).graph : undefined;
}

function isPattern(node: object, subType: 'graph'): node is PatternGraph;
function isPattern(node: object, subType: 'service'): node is PatternService;
function isPattern(node: object, subType: string): boolean {
  return 'type' in node && node.type === 'pattern' && 'subType' in node && node.subType === subType;
}
