import type { MetricsHistory } from './metrics-history.ts';
import { type PlotDefinition, plots } from './plot-definitions.ts';

interface MetricsTableProps {
  readonly history: MetricsHistory;
  /** How much of the past counts, in seconds. */
  readonly shown: number;
}

/** What the plots show, in numbers. */
export function MetricsTable({ history, shown }: MetricsTableProps) {
  const from = (history.times.at(-1) ?? 0) - shown;
  const first = history.times.findIndex((time) => time >= from);
  return (
    <table class="metrics-table">
      <thead>
        <tr>
          <th scope="col">Metric</th>
          {['Now', 'Lowest', 'Mean', 'Highest'].map((title) => (
            <th key={title} scope="col" class="number">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {plots.flatMap((plot, p) =>
          plot.series.map(({ label }, s) => {
            const values = history.values[p]![s]!.slice(Math.max(0, first));
            return (
              <tr key={`${plot.title} ${label}`}>
                <th scope="row">
                  {plot.title}: {label}
                </th>
                {summaryOf(values).map((value, i) => (
                  <td key={i} class="number">
                    {textOf(plot, value)}
                  </td>
                ))}
              </tr>
            );
          }),
        )}
      </tbody>
    </table>
  );
}

/** Returns the newest value, the lowest, the mean and the highest. */
function summaryOf(values: readonly (number | null)[]): (number | null | undefined)[] {
  const known = values.filter((value) => value !== null);
  if (known.length === 0) return [null, null, null, null];
  const sum = known.reduce((total, value) => total + value, 0);
  return [values.at(-1), Math.min(...known), sum / known.length, Math.max(...known)];
}

function textOf({ format }: PlotDefinition, value: number | null | undefined): string {
  return value === null || value === undefined ? '–' : format(value);
}
