import type {
  GraphQuads,
  PatternGraph,
  PatternService,
  TermIri,
  TermVariable,
} from '@traqula/rules-sparql-1-1';

/** What an update has to know of a pattern that Oxigraph evaluates. */
export interface PatternFacts {
  /** IRIs behind `GRAPH`. */
  readonly graphs: readonly TermIri[];
  /** The first `SERVICE` that is not `SILENT`. */
  readonly service: PatternService | undefined;
  readonly prefixes: ReadonlySet<string>;
}

/** Goes through all of a tree, since patterns are in expressions, too. */
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

/** All objects of a tree but those that say where a node stands. */
export function* nodesOf(tree: object): Generator<object> {
  const open = [tree];
  for (let node = open.pop(); node; node = open.pop()) {
    yield node;
    // A call can't have as many arguments as VALUES may have rows.
    for (const part of Object.values(node) as unknown[]) {
      if (typeof part === 'object' && part !== null && !('sourceLocationType' in part)) open.push(part);
    }
  }
}

/** What `GRAPH` names, in a pattern or in the template of `DELETE WHERE`. */
function graphOf(node: object): TermIri | TermVariable | undefined {
  if (isPattern(node, 'graph')) return node.name;
  return 'type' in node && node.type === 'graph' ? (node as GraphQuads).graph : undefined;
}

function isPattern(node: object, subType: 'graph'): node is PatternGraph;
function isPattern(node: object, subType: 'service'): node is PatternService;
function isPattern(node: object, subType: string): boolean {
  return 'type' in node && node.type === 'pattern' && 'subType' in node && node.subType === subType;
}
