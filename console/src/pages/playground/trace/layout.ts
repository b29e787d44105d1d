import { Graph, layout } from '@dagrejs/dagre';
import type { Picture, PictureEdge, PictureNode } from './selection.ts';

/** Pixels at the original size. */
export interface Placed {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface PlacedNode extends Placed {
  readonly node: PictureNode;
  readonly text: string;
}

export interface PlacedEdge {
  readonly edge: PictureEdge;
  readonly text: string;
  readonly points: readonly { readonly x: number; readonly y: number }[];
  /** The middle of the text. */
  readonly label: { readonly x: number; readonly y: number };
}

export interface Drawing {
  readonly width: number;
  readonly height: number;
  readonly nodes: readonly PlacedNode[];
  readonly edges: readonly PlacedEdge[];
}

/** How the page writes what is in a picture. */
export interface Texts {
  readonly ofNode: (node: PictureNode) => string;
  readonly ofEdge: (edge: PictureEdge) => string;
}

const NODE_HEIGHT = 30;
const NODE_PADDING = 22;
const EDGE_HEIGHT = 16;
const MARGIN = 12;
/** Approximate widths of a character, in pixels: 13 and 11 pixels of a proportional typeface. */
const NODE_CHARACTER = 7.6;
const EDGE_CHARACTER = 6.4;

/** Places nodes in columns, from the start resource to the right. */
export function draw(picture: Picture, texts: Texts): Drawing {
  const graph = new Graph({ multigraph: true });
  graph.setGraph({ rankdir: 'LR', nodesep: 14, ranksep: 28, edgesep: 8, marginx: MARGIN, marginy: MARGIN });
  for (const node of picture.nodes) {
    const width = texts.ofNode(node).length * NODE_CHARACTER + NODE_PADDING;
    graph.setNode(node.id, { width, height: NODE_HEIGHT });
  }
  for (const [i, edge] of picture.edges.entries()) {
    const width = texts.ofEdge(edge).length * EDGE_CHARACTER + 8;
    // The name keeps edges apart that connect the same nodes.
    graph.setEdge(edge.from, edge.to, { width, height: EDGE_HEIGHT, labelpos: 'c' }, String(i));
  }
  layout(graph);
  const { width = 0, height = 0 } = graph.graph() as Partial<Placed>;
  return {
    width,
    height,
    nodes: picture.nodes.map((node) => ({
      ...(graph.node(node.id) as Placed),
      node,
      text: texts.ofNode(node),
    })),
    edges: picture.edges.map((edge, i) => {
      const { x, y, points } = graph.edge(edge.from, edge.to, String(i)) as {
        readonly x: number;
        readonly y: number;
        readonly points: PlacedEdge['points'];
      };
      return { edge, text: texts.ofEdge(edge), points, label: { x, y } };
    }),
  };
}
