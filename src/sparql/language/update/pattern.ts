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
export function patternFacts(tree: unknown): PatternFacts {
  const graphs: TermIri[] = [];
  const prefixes = new Set<string>();
  let service: PatternService | undefined;
  const open = [tree];
  while (open.length > 0) {
    const node = open.pop();
    if (typeof node !== 'object' || node === null) continue;
    if ('prefix' in node && typeof node.prefix === 'string') prefixes.add(node.prefix);
    const name = graphOf(node);
    if (name?.subType === 'namedNode') graphs.push(name);
    if (isPattern(node, 'service') && !node.silent) service = node;
    // A call can't have as many arguments as VALUES may have rows.
    for (const part of Object.values(node) as unknown[]) open.push(part);
  }
  return { graphs, service, prefixes };
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
