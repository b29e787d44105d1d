import type { Axis, Plot, Series } from './figure.ts';
import { escapeMarkup } from './text.ts';

const WIDTH = 720;
const HEIGHT = 400;
const LEFT = 70;
const RIGHT = 20;
const TOP = 40;
const BOTTOM = 55;
const LEGEND_LINE = 16;
const TICKS = 6;
/** Beyond these, steps between ticks can't be told from 0 or from infinity. */
const LEAST = 1e-300;
const GREATEST = 1e300;
const COLOURS = ['#1b6ca8', '#c8553d', '#3a7d44', '#8e5ea2', '#b8860b', '#444444', '#d1495b', '#00798c'];

/** Values of an axis, and where they stand on the paper. */
interface Scale {
  readonly ticks: readonly number[];
  readonly at: (value: number) => number;
}

/** A plot as an SVG element that needs nothing else. */
export function svgPlot({ title, x, y, series }: Plot): string {
  const points = series.flatMap((each) => each.points).filter((point) => isShown(point, x, y));
  const legend = HEIGHT + series.length * LEGEND_LINE;
  const parts = [text(WIDTH / 2, 20, title, 'middle', 'font-weight="bold"')];
  if (points.length === 0) parts.push(text(WIDTH / 2, HEIGHT / 2, 'nothing was measured', 'middle'));
  else {
    const scaleX = scale(
      x,
      points.map(([value]) => value),
      LEFT,
      WIDTH - RIGHT,
    );
    const scaleY = scale(
      y,
      points.map(([, value]) => value),
      HEIGHT - BOTTOM,
      TOP,
    );
    parts.push(...grid(x, scaleX, y, scaleY));
    parts.push(...series.flatMap((each, i) => drawn(each, colour(i), scaleX, scaleY, x, y)));
    parts.push(...series.flatMap((each, i) => key(each, colour(i), HEIGHT + i * LEGEND_LINE)));
  }
  const size = `viewBox="0 0 ${WIDTH} ${legend}" width="${WIDTH}" height="${legend}"`;
  const style = 'font-family="sans-serif" font-size="12" fill="#222222"';
  return `<svg xmlns="http://www.w3.org/2000/svg" role="img" ${size} ${style}>\n${parts.join('\n')}\n</svg>`;
}

function isShown([x, y]: readonly [number, number], axisX: Axis, axisY: Axis): boolean {
  const fits = (value: number, axis: Axis) =>
    Math.abs(value) <= GREATEST && (axis.scale === 'linear' || value >= LEAST);
  return fits(x, axisX) && fits(y, axisY);
}

function colour(index: number): string {
  return COLOURS[index % COLOURS.length]!;
}

function scale(axis: Axis, values: readonly number[], from: number, to: number): Scale {
  const ticks = axis.scale === 'log' ? logTicks(values) : linearTicks(values);
  const place = axis.scale === 'log' ? Math.log10 : (value: number) => value;
  const low = place(ticks[0]!);
  const high = place(ticks.at(-1)!);
  const at = (value: number) => from + ((place(value) - low) / (high - low)) * (to - from);
  // To a tenth: numbers near 0 would else be written with exponents.
  return { ticks, at: (value) => Math.round(10 * at(value)) / 10 };
}

/** Round numbers; 0 is among them. */
function linearTicks(values: readonly number[]): number[] {
  const low = Math.min(0, ...values);
  const high = Math.max(0, ...values);
  const range = high - low;
  const rough = (range < LEAST ? 1 : range) / TICKS;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((each) => each >= rough)!;
  const first = Math.floor(low / step);
  const last = Math.ceil(Math.max(high, low + step) / step);
  return Array.from({ length: last - first + 1 }, (_, i) => (first + i) * step);
}

/** Powers of ten around the values. */
function logTicks(values: readonly number[]): number[] {
  const first = Math.floor(Math.log10(Math.min(...values)));
  const last = Math.max(first + 1, Math.ceil(Math.log10(Math.max(...values))));
  return Array.from({ length: last - first + 1 }, (_, i) => 10 ** (first + i));
}

function grid(x: Axis, scaleX: Scale, y: Axis, scaleY: Scale): string[] {
  const bottom = HEIGHT - BOTTOM;
  const vertical = scaleX.ticks.flatMap((value) => [
    line(scaleX.at(value), TOP, scaleX.at(value), bottom, '#dddddd'),
    text(scaleX.at(value), bottom + 16, tick(value), 'middle'),
  ]);
  const horizontal = scaleY.ticks.flatMap((value) => [
    line(LEFT, scaleY.at(value), WIDTH - RIGHT, scaleY.at(value), '#dddddd'),
    text(LEFT - 6, scaleY.at(value) + 4, tick(value), 'end'),
  ]);
  const middle = (TOP + bottom) / 2;
  return [
    ...vertical,
    ...horizontal,
    text((LEFT + WIDTH - RIGHT) / 2, bottom + 36, x.label, 'middle'),
    text(16, middle, y.label, 'middle', `transform="rotate(-90 16 ${middle})"`),
  ];
}

/** Ticks are round numbers. */
function tick(value: number): string {
  return value.toLocaleString('en', { maximumSignificantDigits: 3 });
}

function drawn(
  { points, as = 'line' }: Series,
  ink: string,
  scaleX: Scale,
  scaleY: Scale,
  x: Axis,
  y: Axis,
): string[] {
  const placed = points
    .filter((point) => isShown(point, x, y))
    .map(([px, py]) => [scaleX.at(px).toFixed(1), scaleY.at(py).toFixed(1)] as const);
  const dots = placed.map(([px, py]) => `<circle cx="${px}" cy="${py}" r="3" fill="${ink}"/>`);
  if (as === 'dots') return dots;
  const path = placed.map((point) => point.join(',')).join(' ');
  return [`<polyline points="${path}" fill="none" stroke="${ink}" stroke-width="2"/>`, ...dots];
}

function key({ name }: Series, ink: string, at: number): string[] {
  return [line(LEFT, at, LEFT + 24, at, ink, 3), text(LEFT + 32, at + 4, name, 'start')];
}

function line(x1: number, y1: number, x2: number, y2: number, ink: string, width = 1): string {
  const [a, b, c, d] = [x1, y1, x2, y2].map((value) => value.toFixed(1));
  return `<line x1="${a}" y1="${b}" x2="${c}" y2="${d}" stroke="${ink}" stroke-width="${width}"/>`;
}

function text(x: number, y: number, content: string, anchor: string, more = ''): string {
  const place = `x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${anchor}"`;
  return `<text ${place}${more && ` ${more}`}>${escapeMarkup(content)}</text>`;
}
