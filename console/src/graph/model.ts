/** What pictures of graphs show. */

export interface PictureNode {
  readonly id: string;
  readonly label: string;
  /** The whole name, for a label that is shortened. */
  readonly title?: string;
  readonly kind: 'resource' | 'blank' | 'literal';
  /** Where the node leads to; without it the node is no link. */
  readonly href?: string;
  readonly highlighted?: boolean;
}

export interface PictureEdge {
  /** The ids of two nodes of the picture, which may be the same. */
  readonly from: string;
  readonly to: string;
  readonly label: string;
  readonly title?: string;
  readonly highlighted?: boolean;
  /** Drawn as less important than others. */
  readonly faint?: boolean;
}

export interface PictureGraph {
  readonly nodes: readonly PictureNode[];
  readonly edges: readonly PictureEdge[];
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface PlacedNode {
  readonly node: PictureNode;
  /** The centre. All lengths are in pixels. */
  readonly centre: Point;
  readonly width: number;
  readonly height: number;
}

export interface PlacedEdge {
  readonly edge: PictureEdge;
  /** From the border of one node to the border of the other. */
  readonly points: readonly Point[];
  /** The centre of the label. */
  readonly label: Point;
}

export interface Placement {
  readonly width: number;
  readonly height: number;
  readonly nodes: readonly PlacedNode[];
  readonly edges: readonly PlacedEdge[];
}

/** Characters that a label shows. */
export const MAX_LABEL = 32;

export function shortened(label: string): string {
  return label.length > MAX_LABEL ? `${label.slice(0, MAX_LABEL - 1)}…` : label;
}
