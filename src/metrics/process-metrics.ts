import type { Families } from './families.ts';
import type { LoopLag } from './loop-lag.ts';
import type { MetricSources } from './readings.ts';

const MICROSECONDS = 1e6;
export function defineProcessMetrics(
  families: Families,
  { health, info }: MetricSources,
  lag: LoopLag,
): void {
  families.gauge({ name: 'build_info', help: 'Versions; always 1.', labels: Object.keys(info) }, () => [
    [info, 1],
  ]);
  families.gauge({ name: 'uptime_seconds', help: 'Time since the start of the process.' }, () => [
    [{}, process.uptime()],
  ]);
  families.gauge(
    {
      name: 'hindrance',
      help: '1 for each reason why the server is not ready, 0 for the others.',
      labels: ['reason'],
    },
    () => {
      const present = new Set(health.hindrances().map(({ reason }) => reason));
      return health.reasons.map((reason) => [{ reason }, present.has(reason) ? 1 : 0] as const);
    },
  );
  families.counter(
    { name: 'cpu_seconds_total', help: 'Processor time of the process.', labels: ['mode'] },
    () =>
      Object.entries(process.cpuUsage()).map(
        ([mode, microseconds]) => [{ mode }, microseconds / MICROSECONDS] as const,
      ),
  );
  defineMemoryMetrics(families);
  families.gauge(
    {
      name: 'event_loop_lag_seconds',
      help: 'Delay of the event loop of the main thread in the last 30 to 60 seconds.',
      labels: ['quantile'],
    },
    () => [0.5, 0.99, 1].map((quantile) => [{ quantile }, lag.quantile(quantile)] as const),
  );
}

function defineMemoryMetrics(families: Families): void {
  families.gauge(
    {
      name: 'memory_bytes',
      help: 'Memory: resident in the whole process; heap and external of the main thread.',
      labels: ['kind'],
    },
    () => {
      const { rss, heapUsed, heapTotal, external } = process.memoryUsage();
      const kinds = { resident: rss, heap_used: heapUsed, heap_total: heapTotal, external };
      return Object.entries(kinds).map(([kind, bytes]) => [{ kind }, bytes] as const);
    },
  );
}
