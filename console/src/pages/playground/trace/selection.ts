import type { Trace, TracedNode, TraceEdge } from '../../../../../src/library/client/entry.ts';

/** What is drawn of a trace. */
export interface Picture {
  readonly nodes: readonly PictureNode[];
  readonly edges: readonly PictureEdge[];
  /** Edges that are not drawn, since there are too many. */
  readonly omitted: number;
}

export interface PictureNode {
  /** The index in the trace; several omitted nodes have one with a letter. */
  readonly id: string;
  /** Undefined for a node that stands for omitted ones. */
  readonly node?: TracedNode;
  readonly kind: 'start' | 'result' | 'other' | 'omitted';
  /** How many nodes this one stands for. */
  readonly count: number;
}

/** Triples that one step read between two nodes; `from` is where the step began. */
export interface PictureEdge {
  readonly from: string;
  readonly to: string;
  readonly predicates: readonly string[];
  readonly inverse: boolean;
  readonly used: boolean;
  /** Whether it was read by a test only. */
  readonly test: boolean;
}

/** All fields at once. */
export const ALL_FIELDS = '';

/** Edges that one step draws from one node; the others become one node. */
const MAX_FAN = 6;
/** Layout takes about a second for more. */
const MAX_EDGES = 250;

/** The edges of a field, or of all; `isWhole`: also those that led to no result. */
export function edgesOf(trace: Trace, field: string, isWhole: boolean): readonly TraceEdge[] {
  return trace.edges.filter(
    (edge) => (field === ALL_FIELDS || edge.field === field) && (isWhole || edge.used),
  );
}

/** Chooses what to draw of some edges: everything near the start resource, but few of each fan. */
export function pictureOf(trace: Trace, field: string, edges: readonly TraceEdge[]): Picture {
  const results = new Set(
    trace.fields.filter(({ name }) => field === ALL_FIELDS || name === field).flatMap(({ nodes }) => nodes),
  );
  const drawn = new Map<string, PictureEdge>();
  const fans = fansOf(edges);
  const reached = new Set([0]);
  const summaries: PictureNode[] = [];
  // The set grows while it is read: nodes are visited in the order in which they are reached.
  for (const from of reached) {
    for (const fan of fans.get(from)?.values() ?? []) {
      const shown = fan.length > MAX_FAN + 1 ? fan.slice(0, MAX_FAN) : fan;
      for (const edge of shown) {
        if (drawn.size >= MAX_EDGES) break;
        add(drawn, trace, edge);
        reached.add(edge.to);
      }
      const rest = fan.slice(shown.length);
      if (rest.length > 0 && drawn.size < MAX_EDGES) {
        const summary = summaryOf(trace, rest, summaries.length);
        summaries.push(summary.node);
        drawn.set(summary.node.id, summary.edge);
      }
    }
  }
  const nodes = [...reached].map((index): PictureNode => {
    const kind = index === 0 ? 'start' : results.has(index) ? 'result' : 'other';
    return { id: String(index), node: trace.nodes[index]!, kind, count: 1 };
  });
  const isDrawn = ({ from, to }: TraceEdge) =>
    drawn.has(keyOf(from, to, true)) || drawn.has(keyOf(from, to, false));
  const omitted = edges.filter((edge) => !isDrawn(edge)).length;
  return { nodes: [...nodes, ...summaries], edges: [...drawn.values()], omitted };
}

/** By the node where they begin: the edges of each step and predicate, used ones first. */
function fansOf(edges: readonly TraceEdge[]): ReadonlyMap<number, ReadonlyMap<string, TraceEdge[]>> {
  const fans = new Map<number, Map<string, TraceEdge[]>>();
  for (const edge of edges.toSorted((a, b) => Number(b.used) - Number(a.used))) {
    const byStep = fans.get(edge.from) ?? new Map<string, TraceEdge[]>();
    fans.set(edge.from, byStep);
    const key = `${edge.step} ${edge.inverse} ${edge.predicate}`;
    byStep.set(key, [...(byStep.get(key) ?? []), edge]);
  }
  return fans;
}

function add(drawn: Map<string, PictureEdge>, trace: Trace, edge: TraceEdge): void {
  const key = keyOf(edge.from, edge.to, edge.inverse);
  const before = drawn.get(key);
  const test = trace.places[edge.step]?.test ?? false;
  drawn.set(key, {
    from: String(edge.from),
    to: String(edge.to),
    predicates: [...new Set([...(before?.predicates ?? []), edge.predicate])],
    inverse: edge.inverse,
    used: edge.used || (before?.used ?? false),
    test: test && (before?.test ?? true),
  });
}

function keyOf(from: number, to: number, inverse: boolean): string {
  return `${from} ${to} ${inverse}`;
}

function summaryOf(
  trace: Trace,
  rest: readonly TraceEdge[],
  number: number,
): { readonly node: PictureNode; readonly edge: PictureEdge } {
  const first = rest[0]!;
  const id = `omitted-${number}`;
  return {
    node: { id, kind: 'omitted', count: rest.length },
    edge: {
      from: String(first.from),
      to: id,
      predicates: [first.predicate],
      inverse: first.inverse,
      used: rest.some(({ used }) => used),
      test: trace.places[first.step]?.test ?? false,
    },
  };
}
