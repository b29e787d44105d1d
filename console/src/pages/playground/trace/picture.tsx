import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { Drawing, PlacedEdge, PlacedNode, Point } from '../../../graph/layout.ts';
import { pageOf } from '../../../resources/address.ts';
import type { PictureEdge, PictureNode } from './selection.ts';
import { afterKey, fitting, moved, useSize, type Viewport, viewBox, zoomed } from './viewport.ts';

interface TracePictureProps {
  readonly drawing: Drawing<PictureNode, PictureEdge>;
  /** What is drawn, for screen readers, which get the list of edges instead of it. */
  readonly label: string;
}

/** A drawing that the mouse and the keys move and zoom. */
export function TracePicture({ drawing, label }: TracePictureProps) {
  const box = useRef<HTMLDivElement>(null);
  const size = useSize(box);
  const home = fitting(drawing, size);
  const [changed, setView] = useState<Viewport>();
  useEffect(() => setView(undefined), [drawing]);
  const view = changed ?? home;
  const dragged = useRef<{ readonly x: number; readonly y: number } | undefined>(undefined);
  const id = useId();
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const next = afterKey(event.key, view, home);
    if (!next) return;
    event.preventDefault();
    setView(next);
  };
  const onWheel = (event: WheelEvent) => {
    // Otherwise the page could not be scrolled across the picture.
    if (!event.ctrlKey && !event.metaKey && document.activeElement !== box.current) return;
    event.preventDefault();
    const { left, top, width, height } = box.current!.getBoundingClientRect();
    const [right, down] = [event.clientX - left - width / 2, event.clientY - top - height / 2];
    setView(zoomed(view, Math.exp(-event.deltaY / 400), right, down));
  };
  const onPointerMove = (event: PointerEvent) => {
    const from = dragged.current;
    if (!from || event.buttons === 0) return;
    dragged.current = { x: event.clientX, y: event.clientY };
    setView(moved(view, from.x - event.clientX, from.y - event.clientY));
  };
  return (
    <>
      <div class="buttons">
        <button type="button" aria-label="Zoom in" onClick={() => setView(zoomed(view, 1.25))}>
          +
        </button>
        <button type="button" aria-label="Zoom out" onClick={() => setView(zoomed(view, 0.8))}>
          −
        </button>
        <button type="button" onClick={() => setView(undefined)}>
          Fit
        </button>
        <Legend />
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: it is no group of fields */}
      <div
        ref={box}
        class="trace-picture"
        role="group"
        aria-label={`${label}. Arrow keys move it, plus and minus zoom, zero fits it.`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it has keys of its own
        tabIndex={0}
        onKeyDown={onKeyDown}
        onWheel={onWheel}
        onPointerDown={(event) => {
          dragged.current = { x: event.clientX, y: event.clientY };
        }}
        onPointerMove={onPointerMove}
        onPointerUp={() => {
          dragged.current = undefined;
        }}
      >
        <svg viewBox={viewBox(view, size)} aria-hidden="true">
          <Arrowhead id={`${id}-used`} kind="used" />
          <Arrowhead id={`${id}-tried`} kind="tried" />
          {drawing.edges.map((placed, i) => (
            <Edge key={i} placed={placed} markers={id} />
          ))}
          {drawing.nodes.map((placed) => (
            <Node key={placed.node.id} placed={placed} />
          ))}
        </svg>
      </div>
    </>
  );
}

function Legend() {
  return (
    <span class="trace-legend hint">
      <span class="used">led to a result</span>
      <span class="tried">tried</span>
      <span class="test">in a test</span>
    </span>
  );
}

type Kind = 'used' | 'tried';

function Arrowhead({ id, kind }: { readonly id: string; readonly kind: Kind }) {
  return (
    <marker
      id={id}
      viewBox="0 0 8 8"
      refX="7"
      refY="4"
      markerWidth="8"
      markerHeight="8"
      markerUnits="userSpaceOnUse"
      orient="auto"
    >
      <path class={`trace-arrow ${kind}`} d="M0 0L8 4L0 8z" />
    </marker>
  );
}

function Edge({
  placed: { edge, text, points, label },
  markers,
}: {
  readonly placed: PlacedEdge<PictureEdge>;
  readonly markers: string;
}) {
  const kind: Kind = edge.used ? 'used' : 'tried';
  // The arrow is that of the triple, which a step may have followed backwards.
  const direction = edge.inverse ? points.toReversed() : points;
  return (
    <g class={`trace-edge ${kind} ${edge.test ? 'test' : ''}`}>
      <path d={curveThrough(direction)} marker-end={`url(#${markers}-${kind})`} />
      <text x={label.x} y={label.y}>
        {text}
      </text>
    </g>
  );
}

function Node({ placed: { node, text, x, y, width, height } }: { readonly placed: PlacedNode<PictureNode> }) {
  const resource = resourceOf(node.node);
  const shape = (
    <>
      <title>{node.node?.value}</title>
      <rect
        x={x - width / 2}
        y={y - height / 2}
        width={width}
        height={height}
        rx={node.node?.type === 'literal' ? 2 : 15}
      />
      <text x={x} y={y}>
        {text}
      </text>
    </>
  );
  return (
    <g class={`trace-node ${node.kind}`}>
      {resource === undefined ? (
        shape
      ) : (
        <a href={pageOf(resource)} tabindex={-1}>
          {shape}
        </a>
      )}
    </g>
  );
}

function resourceOf(node: PictureNode['node']): string | undefined {
  if (node?.type === 'uri') return node.value;
  return node?.type === 'bnode' ? `_:${node.value}` : undefined;
}

/** A smooth line that begins and ends at the first and the last point. */
function curveThrough(points: readonly Point[]): string {
  const [first, ...others] = points;
  const last = others.pop();
  if (!first || !last) return '';
  const curves = others.map((point, i) => {
    const next = others[i + 1] ?? last;
    const end = i === others.length - 1 ? last : { x: (point.x + next.x) / 2, y: (point.y + next.y) / 2 };
    return `Q${point.x} ${point.y} ${end.x} ${end.y}`;
  });
  return `M${first.x} ${first.y}${curves.join('') || `L${last.x} ${last.y}`}`;
}
