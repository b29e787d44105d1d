import { useId, useState } from 'preact/hooks';
import { Problem } from '../components/problem.tsx';
import type { Drawing, PlacedEdge, PlacedNode } from './layout.ts';
import { cutLabel, type PictureEdge, type PictureGraph, type PictureNode } from './model.ts';
import { useDrawing } from './use-drawing.ts';

interface GraphPictureProps {
  /** What is drawn, for screen readers. */
  readonly label: string;
  /** Its size must be bounded: a few hundred edges take a second to place. */
  readonly graph: PictureGraph;
}

const ZOOM_STEP = 1.25;
const MIN_ZOOM = 0.25;
const MAX_ZOOM = 3;

const texts = {
  ofNode: ({ label }: PictureNode) => cutLabel(label),
  ofEdge: ({ label }: PictureEdge) => cutLabel(label),
};

/** A graph as a drawing that scrolls and zooms. */
export function GraphPicture({ label, graph }: GraphPictureProps) {
  const { drawing, error } = useDrawing(graph, texts);
  const [zoom, setZoom] = useState(1);
  if (error !== undefined) return <Problem error={error} />;
  if (!drawing) return <p class="loading">Drawing…</p>;
  const scale = (factor: number) => setZoom(Math.min(MAX_ZOOM, Math.max(MIN_ZOOM, zoom * factor)));
  return (
    <div class="graph-picture">
      <div class="graph-zoom">
        <button type="button" aria-label="Smaller" onClick={() => scale(1 / ZOOM_STEP)}>
          −
        </button>
        <button type="button" title="Original size" onClick={() => setZoom(1)}>
          {Math.round(zoom * 100)} %
        </button>
        <button type="button" aria-label="Larger" onClick={() => scale(ZOOM_STEP)}>
          +
        </button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: without a mouse it scrolls only when focused */}
      <section class="graph-view" aria-label={label} tabIndex={0}>
        <Picture label={label} drawing={drawing} zoom={zoom} />
      </section>
    </div>
  );
}

interface PictureProps {
  readonly label: string;
  readonly drawing: Drawing<PictureNode, PictureEdge>;
  readonly zoom: number;
}

function Picture({ label, drawing: { width, height, nodes, edges }, zoom }: PictureProps) {
  const id = useId();
  const hasLinks = nodes.some(({ node }) => node.href !== undefined);
  return (
    <svg
      role={hasLinks ? 'group' : 'img'}
      aria-label={label}
      width={width * zoom}
      height={height * zoom}
      viewBox={`0 0 ${width} ${height}`}
    >
      <defs>
        <marker id={id} viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" orient="auto">
          <path class="graph-arrow" d="M0 0 8 4 0 8z" />
        </marker>
      </defs>
      {edges.map((each, index) => (
        <Edge key={index} placed={each} arrow={id} />
      ))}
      {nodes.map((each) => (
        <Node key={each.node.id} placed={each} />
      ))}
    </svg>
  );
}

interface EdgeProps {
  readonly placed: PlacedEdge<PictureEdge>;
  /** Id of the marker. */
  readonly arrow: string;
}

function Edge({ placed: { edge, text, points, label }, arrow }: EdgeProps) {
  const path = points.map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${x} ${y}`).join('');
  return (
    <g class={classOf('graph-edge', edge)}>
      <title>{edge.title ?? edge.label}</title>
      <path d={path} marker-end={`url(#${arrow})`} />
      <text x={label.x} y={label.y} text-anchor="middle" dominant-baseline="central">
        {text}
      </text>
    </g>
  );
}

function Node({ placed: { node, text, x, y, width, height } }: { readonly placed: PlacedNode<PictureNode> }) {
  const box = (
    <>
      <title>{node.title ?? node.label}</title>
      <rect
        x={x - width / 2}
        y={y - height / 2}
        width={width}
        height={height}
        rx={node.kind === 'literal' ? 2 : height / 2}
      />
      <text x={x} y={y} text-anchor="middle" dominant-baseline="central">
        {text}
      </text>
    </>
  );
  const name = `${classOf('graph-node', node)} ${node.kind}`;
  return node.href === undefined ? (
    <g class={name}>{box}</g>
  ) : (
    <a class={name} href={node.href}>
      {box}
    </a>
  );
}

function classOf(name: string, { highlighted = false, faint = false }): string {
  return [name, highlighted && 'highlighted', faint && 'faint'].filter(Boolean).join(' ');
}
