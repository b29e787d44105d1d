import { Graph, layout } from '@dagrejs/dagre';

/** A graph of any kind of nodes and edges. */
export interface Drawable<N, E> {
  readonly nodes: readonly N[];
  readonly edges: readonly E[];
}

/** What a page writes on nodes and edges. */
export interface Texts<N, E> {
  readonly ofNode: (node: N) => string;
  readonly ofEdge: (edge: E) => string;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A node with its place: `x` and `y` are its middle. All lengths are in pixels. */
export interface PlacedNode<N> extends Point {
  readonly node: N;
  readonly text: string;
  readonly width: number;
  readonly height: number;
}

export interface PlacedEdge<E> {
  readonly edge: E;
  readonly text: string;
  /** From the border of one node to the border of the other. */
  readonly points: readonly Point[];
  /** The middle of the text. */
  readonly label: Point;
}

export interface Drawing<N, E> {
  readonly width: number;
  readonly height: number;
  readonly nodes: readonly PlacedNode<N>[];
  readonly edges: readonly PlacedEdge<E>[];
}

const NODE_HEIGHT = 30;
const NODE_PADDING = 22;
const EDGE_HEIGHT = 16;
const EDGE_PADDING = 8;
const MARGIN = 12;
/** Approximate widths of a character, in pixels: 13 and 11 pixels of a proportional typeface. */
const NODE_CHARACTER = 7.6;
const EDGE_CHARACTER = 6.4;

/** Places nodes in columns, so that edges lead to the right where they can. */
export function drawingOf<N extends { readonly id: string }, E extends EdgeEnds>(
  { nodes, edges }: Drawable<N, E>,
  texts: Texts<N, E>,
): Drawing<N, E> {
  const graph = new Graph({ multigraph: true });
  graph.setGraph({ rankdir: 'LR', nodesep: 14, ranksep: 28, edgesep: 8, marginx: MARGIN, marginy: MARGIN });
  for (const node of nodes) {
    const width = texts.ofNode(node).length * NODE_CHARACTER + NODE_PADDING;
    graph.setNode(node.id, { width, height: NODE_HEIGHT });
  }
  for (const [i, edge] of edges.entries()) {
    const width = texts.ofEdge(edge).length * EDGE_CHARACTER + EDGE_PADDING;
    // The name keeps edges apart that connect the same nodes.
    graph.setEdge(edge.from, edge.to, { width, height: EDGE_HEIGHT, labelpos: 'c' }, String(i));
  }
  layout(graph);
  const { width = 0, height = 0 } = graph.graph();
  return {
    width,
    height,
    nodes: nodes.map((node) => ({ ...graph.node(node.id), node, text: texts.ofNode(node) })),
    edges: edges.map((edge, i) => {
      const { x, y, points } = graph.edge(edge.from, edge.to, String(i));
      return { edge, text: texts.ofEdge(edge), points, label: { x, y } };
    }),
  };
}

/** The ids of two nodes, which may be the same. */
export interface EdgeEnds {
  readonly from: string;
  readonly to: string;
}
