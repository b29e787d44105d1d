import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { MetricsTable } from './metrics-table.tsx';
import { Plot } from './plot.tsx';
import { plots } from './plot-definitions.ts';
import { history, type ServerView } from './watch.ts';

interface MetricsSectionProps {
  readonly state: ServerView['metrics'];
  /** How much of the past is shown, in seconds. */
  readonly shown: number;
  /** Where the user chooses what is shown. */
  readonly children: ComponentChildren;
}

/** The metrics as plots, and as a table for those who do not see them. */
export function MetricsSection({ state, shown, children }: MetricsSectionProps) {
  const [hasTable, setTable] = useState(false);
  return (
    <section aria-labelledby="metrics-heading">
      <h2 id="metrics-heading">Metrics</h2>
      {state === 'off' && (
        <p>
          This server keeps no metrics: it was started with <code>--metrics off</code>.
        </p>
      )}
      {state === 'on' && (
        <>
          <div class="plot-options">{children}</div>
          <p class="hint">Requests for metrics and health are not counted.</p>
          <div class="plots">
            {plots.map((plot) => (
              <Plot key={plot.title} plot={plot} history={history} shown={shown} />
            ))}
          </div>
          <details onToggle={(event) => setTable(event.currentTarget.open)}>
            <summary>The same as a table</summary>
            {hasTable && <MetricsTable history={history} shown={shown} />}
          </details>
        </>
      )}
    </section>
  );
}
