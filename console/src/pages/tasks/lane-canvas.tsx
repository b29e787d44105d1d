import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useTheme } from '../../components/colours.ts';
import { drawLane } from './draw-lane.ts';
import type { Lane } from './lane.ts';

/** Pixels. */
const HEIGHT = 24;

interface LaneCanvasProps {
  readonly lane: Lane;
  /** The time at the right end, in milliseconds since 1970. */
  readonly now: number;
  /** What it shows, in words. */
  readonly label: string;
}

/** The last minute of a thread; drawn each time that it is rendered. */
export function LaneCanvas({ lane, now, label }: LaneCanvasProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [width, setWidth] = useState(0);
  useTheme();
  useEffect(() => {
    const box = canvas.current!.parentElement!;
    const observer = new ResizeObserver(() => setWidth(box.clientWidth));
    observer.observe(box);
    return () => observer.disconnect();
  }, []);
  useLayoutEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (!context || width === 0) return;
    const ratio = devicePixelRatio;
    const [columns, rows] = [Math.round(width * ratio), Math.round(HEIGHT * ratio)];
    // Setting the size clears the canvas, and takes time.
    if (context.canvas.width !== columns) context.canvas.width = columns;
    if (context.canvas.height !== rows) context.canvas.height = rows;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    drawLane(lane, { context, width, height: HEIGHT, now });
  });
  return <canvas class="lane" ref={canvas} role="img" aria-label={label} style={{ height: `${HEIGHT}px` }} />;
}
