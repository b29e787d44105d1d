import { bytesText, numberText } from '../../components/units.ts';
import type { Labels } from './metrics-text.ts';
import { type Interval, quantile, rate } from './reading.ts';

interface SeriesDefinition {
  readonly label: string;
  /** A colour of the theme. */
  readonly colour: string;
  /** Pixels of lines and gaps, so that lines differ without their colours. */
  readonly dash?: readonly number[];
  /** Undefined if it is not known, such as the time of requests when there were none. */
  readonly value: (interval: Interval) => number | undefined;
}

export interface PlotDefinition {
  readonly title: string;
  readonly format: (value: number) => string;
  /** The smallest range of the axis, from 0. */
  readonly least: number;
  /** Distances between the marks of the axis; by default round decimal numbers. */
  readonly steps?: readonly number[];
  readonly series: readonly SeriesDefinition[];
}

const FIRST = { colour: '--accent' };
const SECOND = { colour: '--code-number', dash: [6, 3] };
const THIRD = { colour: '--good', dash: [2, 2] };
const FOURTH = { colour: '--code-keyword', dash: [8, 3, 2, 3] };

/** Requests that only ask how the server is, those of this page among them. */
const monitoring = new Set([
  '/metrics',
  '/health',
  '/health/live',
  '/health/ready',
  '/ping',
  '/tasks/events',
]);
const isWork = ({ route = '' }: Labels) => !monitoring.has(route);

const isQueueOf =
  (...names: string[]) =>
  ({ queue = '' }: Labels) =>
    names.some((name) => queue.startsWith(name));

const queueGroups = [
  { label: 'LDPath', fits: isQueueOf('ldpath-'), ...FIRST },
  { label: 'parsing', fits: isQueueOf('parse'), ...SECOND },
  { label: 'SPARQL', fits: isQueueOf('sparql-'), ...THIRD },
  { label: 'other', fits: isQueueOf('serialize', 'maintenance'), ...FOURTH },
];

const secondsText = (seconds: number) =>
  seconds < 1 ? `${numberText(seconds * 1000)} ms` : `${numberText(seconds)} s`;

const responseTime = (share: number) => (interval: Interval) =>
  quantile(interval, share, 'pathpool_http_request_duration_seconds', isWork);
const gauge =
  (name: string, fits?: (labels: Labels) => boolean) =>
  ({ now }: Interval) =>
    now.metrics.sum(name, fits);
const growth = (name: string, fits?: (labels: Labels) => boolean) => (interval: Interval) =>
  rate(interval, name, fits);
const busyThreads = (name: string) =>
  gauge('pathpool_threads', ({ pool, state }) => pool === name && state === 'busy');
const memory = (name: string) => gauge('pathpool_memory_bytes', ({ kind }) => kind === name);

/** What is drawn, from the metrics of docs/monitoring.md. */
export const plots: readonly PlotDefinition[] = [
  {
    title: 'Requests per second',
    format: numberText,
    least: 1,
    series: [
      { label: 'all', ...FIRST, value: growth('pathpool_http_requests_total', isWork) },
      { label: 'errors', ...SECOND, value: growth('pathpool_http_problems_total') },
    ],
  },
  {
    title: 'Response time',
    format: secondsText,
    least: 0.001,
    series: [
      { label: 'p50', ...FIRST, value: responseTime(0.5) },
      { label: 'p99', ...SECOND, value: responseTime(0.99) },
    ],
  },
  {
    title: 'Time in queues, p99',
    format: secondsText,
    least: 0.001,
    series: queueGroups.map(({ fits, ...line }) => ({
      ...line,
      value: (interval) => quantile(interval, 0.99, 'pathpool_queue_wait_seconds', fits),
    })),
  },
  {
    title: 'Jobs in queues',
    format: numberText,
    least: 1,
    series: queueGroups.map(({ fits, ...line }) => ({
      ...line,
      value: gauge('pathpool_queue_jobs_waiting', fits),
    })),
  },
  {
    title: 'Results per second',
    format: numberText,
    least: 1,
    series: [
      { label: 'LDPath', ...FIRST, value: growth('pathpool_ldpath_evaluations_total') },
      {
        label: 'SPARQL',
        ...THIRD,
        value: growth('pathpool_queue_jobs_finished_total', isQueueOf('sparql-')),
      },
    ],
  },
  {
    title: 'Busy threads',
    format: numberText,
    least: 1,
    series: [
      { label: 'workers', ...FIRST, value: busyThreads('worker') },
      { label: 'SPARQL', ...THIRD, value: busyThreads('sparql') },
      { label: 'processors used', ...SECOND, value: growth('pathpool_cpu_seconds_total') },
    ],
  },
  {
    title: 'Commits per second',
    format: numberText,
    least: 1,
    series: [{ label: 'commits', ...FIRST, value: growth('pathpool_snapshot_commit') }],
  },
  {
    title: 'Triples',
    format: numberText,
    least: 10,
    series: [{ label: 'all graphs', ...FIRST, value: gauge('pathpool_snapshot_quads') }],
  },
  {
    title: 'Memory',
    format: bytesText,
    least: 2 ** 20,
    steps: Array.from({ length: 32 }, (_, i) => 2 ** (i + 10)),
    series: [
      { label: 'process', ...FIRST, value: memory('resident') },
      { label: 'data', ...THIRD, value: gauge('pathpool_snapshot_bytes') },
      { label: 'heap of the main thread', ...SECOND, value: memory('heap_used') },
    ],
  },
];
