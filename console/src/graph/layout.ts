import { Graph, layout } from '@dagrejs/dagre';
import { type PictureGraph, type PictureNode, type Placement, shortened } from './model.ts';

/** Pixels. Text is not measured: its font has letters of about this width. */
const LETTER_WIDTH = 7;
const NODE_HEIGHT = 28;
const NODE_PADDING = 24;
const EDGE_LABEL_HEIGHT = 16;

/** Places nodes in layers from left to right, so that edges lead to the right where they can. */
export function placed({ nodes, edges }: PictureGraph): Placement {
  const graph = new Graph({ multigraph: true });
  graph.setGraph({ rankdir: 'LR', nodesep: 14, edgesep: 10, ranksep: 30, marginx: 12, marginy: 12 });
  for (const node of nodes) graph.setNode(node.id, sizeOf(node));
  const names = edges.map((edge, index) => ({ edge, v: edge.from, w: edge.to, name: String(index) }));
  for (const { edge, v, w, name } of names) {
    const width = shortened(edge.label).length * LETTER_WIDTH;
    graph.setEdge(v, w, { width, height: EDGE_LABEL_HEIGHT, labelpos: 'c' }, name);
  }
  layout(graph);
  const { width = 0, height = 0 } = graph.graph();
  return {
    width,
    height,
    nodes: nodes.map((node) => {
      const { x, y, ...size } = graph.node(node.id);
      return { node, centre: { x, y }, width: size.width, height: size.height };
    }),
    edges: names.map(({ edge, v, w, name }) => {
      const { points, x, y } = graph.edge(v, w, name);
      return { edge, points, label: { x, y } };
    }),
  };
}

function sizeOf({ label }: PictureNode): { width: number; height: number } {
  return { width: shortened(label).length * LETTER_WIDTH + NODE_PADDING, height: NODE_HEIGHT };
}
