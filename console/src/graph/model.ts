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

/** Characters that a label shows. */
const MAX_LABEL = 32;

export function cutLabel(label: string): string {
  return label.length > MAX_LABEL ? `${label.slice(0, MAX_LABEL - 1)}…` : label;
}
