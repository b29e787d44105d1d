import { colourOf } from '../../components/colours.ts';
import { type Lane, type Segment, WINDOW_MS } from './lane.ts';

/** Kinds of work, with the colours in which they are drawn. */
export const workKinds: readonly { readonly kind: string; readonly colour: string }[] = [
  { kind: 'evaluating', colour: '--accent' },
  { kind: 'parsing', colour: '--code-number' },
  { kind: 'writing', colour: '--good' },
  { kind: 'maintaining', colour: '--code-keyword' },
];
/** For work of which only the total is known. */
export const OTHER_COLOUR = '--muted';
const UNKNOWN_COLOUR = '--border';

/** Pixels of a label's letters, and of the narrowest bar that has one. */
const FONT_SIZE = 11;
const LABEL_WIDTH = 36;

interface LaneView {
  readonly context: CanvasRenderingContext2D;
  /** In pixels of the page. */
  readonly width: number;
  readonly height: number;
  /** The right end, in milliseconds since 1970. */
  readonly now: number;
}

/** Draws what a thread did in the last minute: the height of a bar is the share of the time. */
export function drawLane(lane: Lane, view: LaneView): void {
  const { context, width, height } = view;
  context.clearRect(0, 0, width, height);
  context.fillStyle = colourOf(UNKNOWN_COLOUR);
  context.fillRect(0, height - 1, width, 1);
  const colours = new Map(workKinds.map(({ kind, colour }) => [kind, colourOf(colour)]));
  const other = colourOf(OTHER_COLOUR);
  for (const segment of lane.segments) drawSegment(segment, view, (kind) => colours.get(kind) ?? other);
  drawLabels(lane, view);
}

function drawSegment(segment: Segment, view: LaneView, colourOfKind: (kind: string) => string): void {
  const { context, height } = view;
  const left = positionOf(segment.since, view);
  // A little wider, so that no gap is seen between neighbours.
  const width = Math.max(1, positionOf(segment.time, view) - left + 0.5);
  if (segment.busy === undefined) {
    context.globalAlpha = 0.5;
    context.fillStyle = colourOf(UNKNOWN_COLOUR);
    context.fillRect(left, 0, width, height);
    context.globalAlpha = 1;
    return;
  }
  const parts = Object.entries(segment.work);
  let bottom = height;
  for (const [kind, share] of parts.length > 0 ? parts : [['', segment.busy] as const]) {
    // What takes a moment is still seen.
    const size = Math.max(share > 0 ? 1 : 0, share * height);
    context.fillStyle = colourOfKind(kind);
    context.fillRect(left, bottom - size, width, size);
    bottom -= size;
  }
}

/** Writes the names of tasks where they ran long enough. */
function drawLabels(lane: Lane, view: LaneView): void {
  const { context, height } = view;
  context.font = `${FONT_SIZE}px system-ui, sans-serif`;
  context.textBaseline = 'middle';
  context.lineWidth = 3;
  context.strokeStyle = colourOf('--background');
  context.fillStyle = colourOf('--text');
  for (const { name, since, time } of runsIn(lane.segments)) {
    const left = Math.max(0, positionOf(since, view));
    const width = positionOf(time, view) - left;
    if (width < LABEL_WIDTH) continue;
    context.save();
    context.beginPath();
    context.rect(left, 0, width, height);
    context.clip();
    context.strokeText(name, left + 4, height / 2);
    context.fillText(name, left + 4, height / 2);
    context.restore();
  }
}

interface Run {
  readonly id: string;
  readonly name: string;
  readonly since: number;
  readonly time: number;
}

/** Joins neighbouring segments with the same task. */
function runsIn(segments: readonly Segment[]): Run[] {
  const runs: Run[] = [];
  for (const { task, since, time } of segments) {
    if (!task) continue;
    const last = runs.at(-1);
    if (last && last.id === task.id && last.time === since) runs[runs.length - 1] = { ...last, time };
    else runs.push({ id: task.id, name: task.name, since, time });
  }
  return runs;
}

function positionOf(time: number, { now, width }: LaneView): number {
  return ((time - now + WINDOW_MS) / WINDOW_MS) * width;
}
