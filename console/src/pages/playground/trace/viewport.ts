import { useEffect, useState } from 'preact/hooks';
import type { Drawing } from '../../../graph/layout.ts';
import type { PictureEdge, PictureNode } from './selection.ts';

/** The part of a drawing that is in view: its middle, and the factor by which it is enlarged. */
export interface Viewport {
  readonly x: number;
  readonly y: number;
  readonly scale: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

const MIN_SCALE = 0.1;
const MAX_SCALE = 4;
/** Smaller texts cannot be read, so a large drawing is not shown as a whole at first. */
const READABLE = 0.75;
/** Pixels by which a key moves the drawing. */
const STEP = 60;
const ZOOM = 1.25;

/** Returns the size of an element, also when it changes. */
export function useSize(element: { readonly current: Element | null }): Size {
  const [size, setSize] = useState<Size>({ width: 600, height: 400 });
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => {
      if (entry && entry.contentRect.width > 0) setSize(entry.contentRect);
    });
    observer.observe(element.current!);
    return () => observer.disconnect();
  }, []);
  return size;
}

/** Shows the whole drawing if it can be read then, and otherwise its beginning. */
export function fitting(drawing: Drawing<PictureNode, PictureEdge>, size: Size): Viewport {
  const whole = Math.min(1, size.width / drawing.width, size.height / drawing.height);
  const scale = Math.max(READABLE, whole);
  const start = drawing.nodes.find(({ node }) => node.kind === 'start');
  const isWide = drawing.width * scale > size.width;
  const isHigh = drawing.height * scale > size.height;
  return {
    x: isWide ? size.width / (2 * scale) : drawing.width / 2,
    y: isHigh && start ? start.y : drawing.height / 2,
    scale,
  };
}

export function moved(view: Viewport, right: number, down: number): Viewport {
  return { ...view, x: view.x + right / view.scale, y: view.y + down / view.scale };
}

/** Zooms, while the point at this distance from the middle, in pixels, stays where it is. */
export function zoomed(view: Viewport, factor: number, right = 0, down = 0): Viewport {
  const scale = Math.min(MAX_SCALE, Math.max(MIN_SCALE, view.scale * factor));
  const shift = 1 / view.scale - 1 / scale;
  return { x: view.x + right * shift, y: view.y + down * shift, scale };
}

/** Returns undefined for a key that does nothing. */
export function afterKey(key: string, view: Viewport, home: Viewport): Viewport | undefined {
  switch (key) {
    case 'ArrowLeft':
      return moved(view, -STEP, 0);
    case 'ArrowRight':
      return moved(view, STEP, 0);
    case 'ArrowUp':
      return moved(view, 0, -STEP);
    case 'ArrowDown':
      return moved(view, 0, STEP);
    case '+':
    case '=':
      return zoomed(view, ZOOM);
    case '-':
      return zoomed(view, 1 / ZOOM);
    case '0':
      return home;
    default:
      return undefined;
  }
}

export function viewBox({ x, y, scale }: Viewport, { width, height }: Size): string {
  const [w, h] = [width / scale, height / scale];
  return `${x - w / 2} ${y - h / 2} ${w} ${h}`;
}
