import { useEffect, useId, useState } from 'preact/hooks';
import { Problem } from '../components/problem.tsx';
import { type PictureGraph, type PlacedEdge, type PlacedNode, type Placement, shortened } from './model.ts';

interface GraphPictureProps {
  /** What is drawn, for screen readers. */
  readonly label: string;
  /** Its size must be bounded: a few hundred edges take a second to place. */
  readonly graph: PictureGraph;
}

const ZOOM_STEP = 1.25;
const MIN_ZOOM = 0.25;
const MAX_ZOOM = 3;

/**
 * A graph as a drawing that scrolls and zooms. The code that places nodes is fetched when it is
 * needed.
 */
export function GraphPicture({ label, graph }: GraphPictureProps) {
  const [placement, setPlacement] = useState<Placement>();
  const [error, setError] = useState<unknown>();
  const [zoom, setZoom] = useState(1);
  useEffect(() => {
    let isCurrent = true;
    import('./layout.ts').then(
      ({ placed }) => isCurrent && setPlacement(placed(graph)),
      (reason: unknown) => setError(reason),
    );
    return () => {
      isCurrent = false;
    };
  }, [graph]);
  if (error !== undefined) return <Problem error={error} />;
  if (!placement) return <p class="loading">Drawing…</p>;
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
        <Drawing label={label} placement={placement} zoom={zoom} />
      </section>
    </div>
  );
}

interface DrawingProps {
  readonly label: string;
  readonly placement: Placement;
  readonly zoom: number;
}

function Drawing({ label, placement: { width, height, nodes, edges }, zoom }: DrawingProps) {
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
        <Edge key={index} {...each} arrow={id} />
      ))}
      {nodes.map((each) => (
        <Node key={each.node.id} {...each} />
      ))}
    </svg>
  );
}

function Edge({ edge, points, label, arrow }: PlacedEdge & { readonly arrow: string }) {
  const path = points.map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${x} ${y}`).join('');
  return (
    <g class={classOf('graph-edge', edge)}>
      <title>{edge.title ?? edge.label}</title>
      <path d={path} marker-end={`url(#${arrow})`} />
      <text x={label.x} y={label.y} text-anchor="middle" dominant-baseline="central">
        {shortened(edge.label)}
      </text>
    </g>
  );
}

function Node({ node, centre, width, height }: PlacedNode) {
  const box = (
    <>
      <title>{node.title ?? node.label}</title>
      <rect
        x={centre.x - width / 2}
        y={centre.y - height / 2}
        width={width}
        height={height}
        rx={node.kind === 'literal' ? 2 : height / 2}
      />
      <text x={centre.x} y={centre.y} text-anchor="middle" dominant-baseline="central">
        {shortened(node.label)}
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
