import { useEffect, useRef, useState } from 'preact/hooks';
import UPlot from 'uplot';
import { colourOf, useTheme } from '../../components/colours.ts';
import type { MetricsHistory } from './metrics-history.ts';
import { type PlotDefinition, plots } from './plot-definitions.ts';

interface PlotProps {
  readonly plot: PlotDefinition;
  readonly history: MetricsHistory;
  /** How much of the past is shown, in seconds. */
  readonly shown: number;
}

/** Pixels. */
const HEIGHT = 170;
const FONT = '12px system-ui, sans-serif';
const UNKNOWN = '–';

const timeOfDay = new Intl.DateTimeFormat(undefined, {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
});

/** A plot of metrics, with the newest values in words, or those under the pointer. */
export function Plot({ plot, history, shown }: PlotProps) {
  const box = useRef<HTMLDivElement>(null);
  const chart = useRef<UPlot>(undefined);
  const [pointed, setPointed] = useState<number>();
  const theme = useTheme();
  const values = history.values[plots.indexOf(plot)]!;
  useEffect(() => {
    const element = box.current!;
    const created = new UPlot(optionsOf(plot, setPointed), [[]], element);
    chart.current = created;
    const resize = () => created.setSize({ width: element.clientWidth, height: HEIGHT });
    const observer = new ResizeObserver(resize);
    observer.observe(element);
    return () => {
      observer.disconnect();
      created.destroy();
    };
  }, [plot, theme]);
  useEffect(() => {
    const now = history.times.at(-1) ?? Date.now() / 1000;
    chart.current?.setData([history.times, ...values] as UPlot.AlignedData, false);
    chart.current?.setScale('x', { min: now - shown, max: now });
  });
  const index = pointed ?? history.times.length - 1;
  const current = plot.series.map(({ label }, i) => {
    const value = values[i]?.[index];
    return [label, value === null || value === undefined ? UNKNOWN : plot.format(value)] as const;
  });
  const label = `${plot.title}: ${current.map((pair) => pair.join(' ')).join(', ')}`;
  const time = history.times[index];
  return (
    <figure class="plot">
      <figcaption>
        <h3>{plot.title}</h3>
        <span class="hint">{pointed !== undefined && time !== undefined && timeText(time)}</span>
      </figcaption>
      <div ref={box} role="img" aria-label={label} style={{ height: `${HEIGHT}px` }} />
      <ul class="legend">
        {current.map(([name, value], i) => (
          <li key={name}>
            <span class="swatch" style={{ background: `var(${plot.series[i]!.colour})` }} />
            {name} <b>{value}</b>
          </li>
        ))}
      </ul>
    </figure>
  );
}

function optionsOf(plot: PlotDefinition, onPoint: (index: number | undefined) => void): UPlot.Options {
  const axis = {
    stroke: colourOf('--muted'),
    font: FONT,
    grid: { stroke: colourOf('--border'), width: 1 },
    ticks: { stroke: colourOf('--border'), width: 1 },
  };
  return {
    width: 300,
    height: HEIGHT,
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false } },
    scales: {
      y: { range: (_, _min, max) => [0, Math.max(plot.least, (max ?? 0) * 1.05)] },
    },
    axes: [
      { ...axis, space: 80, values: (_, times) => times.map(timeText) },
      {
        ...axis,
        size: 70,
        values: (_, values) => values.map((value) => plot.format(value)),
        ...(plot.steps && { incrs: [...plot.steps] }),
      },
    ],
    series: [
      {},
      ...plot.series.map(({ label, colour, dash }) => ({
        label,
        stroke: colourOf(colour),
        width: 1.5,
        ...(dash && { dash: [...dash] }),
        // A value between two unknown ones is no line.
        points: { show: true, size: 3, fill: colourOf(colour), filter: loneValues },
      })),
    ],
    hooks: {
      setCursor: [({ cursor }) => onPoint(cursor.idx ?? undefined)],
    },
  };
}

/** Returns where values stand alone between unknown ones, so that they would not be seen. */
function loneValues(chart: UPlot, series: number): number[] {
  const values = chart.data[series]!;
  const known = (i: number) => values[i] !== null && values[i] !== undefined;
  return [...values.keys()].filter((i) => known(i) && !known(i - 1) && !known(i + 1));
}

function timeText(seconds: number): string {
  return timeOfDay.format(seconds * 1000);
}
