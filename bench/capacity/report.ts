import type { Plot } from '../report/figure.ts';
import { htmlPage, type Table } from '../report/html.ts';
import type { Machine } from '../report/machine.ts';
import { shown } from '../report/text.ts';
import type { Holding } from './own-server.ts';
import type { LeftOut } from './prepare.ts';
import type { Scaling } from './scaling.ts';
import type { KindReport } from './sweep.ts';
import { peak, throughputAt } from './usl.ts';

/** All that was found; also written as JSON. */
export interface CapacityReport {
  readonly date: string;
  readonly machine: Machine;
  readonly subject: string;
  /** Milliseconds. */
  readonly bound: number;
  readonly seconds: number;
  readonly starts: number;
  /** Worker threads while the kinds were measured; undefined of a server that is not ours. */
  readonly threads: number | undefined;
  readonly kinds: readonly KindReport[];
  readonly leftOut: readonly LeftOut[];
  readonly scalings: readonly Scaling[];
  readonly recommended: number | undefined;
  readonly holding: Holding | undefined;
}

const GIB = 2 ** 30;
const MIB = 2 ** 20;
/** Of the machine's memory, what a server may have. */
const SHARE_OF_MEMORY = 0.75;
const FEW_QUADS = 100_000;
/** Milliseconds: later sending than this says that the generator was too busy. */
const LATE_MS = 10;

/** For the terminal. */
export function textReport(report: CapacityReport): string {
  const tables = tablesOf(report).map(({ title, head, rows }) => `${title}\n\n${aligned([head, ...rows])}`);
  return [`Capacity of ${report.subject}`, ...words(report), ...tables].join('\n\n');
}

export function htmlReport(report: CapacityReport): string {
  return htmlPage({
    title: `Capacity of ${report.subject}`,
    words: words(report),
    tables: tablesOf(report),
    plots: plotsOf(report),
  });
}

function words(report: CapacityReport): string[] {
  const { machine, date, bound, threads, recommended, leftOut, kinds, starts, seconds } = report;
  const { processor, cores, memoryGiB, node, commit } = machine;
  const lines = [
    `${date}, ${cores} cores (${processor}), ${memoryGiB} GiB, Node.js ${node}, commit ${commit}; ${starts} start resources, ${seconds} s per load. Requests are sent at a constant rate; latency counts from the moment when a request was due.`,
  ];
  if (recommended !== undefined)
    lines.push(`Recommended: ${counted(recommended)}, the fewest with nearly the best throughput.`);
  if (threads !== undefined) lines.push(`The kinds of requests were measured with ${counted(threads)}.`);
  lines.push(...leftOut.map(({ kind, reason }) => `${kind} was left out: ${reason}.`));
  lines.push(...kinds.filter(({ failures }) => failures > 0).map(wrongAnswers));
  const late = kinds.filter(({ points }) =>
    points.some((point) => point.lateness > Math.min(LATE_MS, bound)),
  );
  if (late.length > 0) {
    const names = late.map(({ kind }) => kind).join(', ');
    lines.push(
      `At some loads of ${names} the load generator itself was late, which counts as latency too: read those rates as lower bounds.`,
    );
  }
  return lines;
}

function wrongAnswers({ kind, failures, fault }: KindReport): string {
  return `${kind}: ${failures} responses were wrong, the first with ${fault}.`;
}

function tablesOf(report: CapacityReport): Table[] {
  return [kindTable(report), ...holdingTable(report), ...scalingTable(report)];
}

function kindTable({ kinds, bound }: CapacityReport): Table {
  const head = [
    'kind',
    `requests/s at p99 under ${bound} ms`,
    'at most',
    'p50 / p99 ms at about half of it',
    'limited by',
  ];
  const rows = kinds.map((each) => {
    const { kind, requestsPerSecond, most, evaluations, limit } = each;
    const each100 = evaluations > 1 ? ` (${shown(requestsPerSecond * evaluations)} evaluations/s)` : '';
    const reached = requestsPerSecond > 0 ? shown(requestsPerSecond) + each100 : 'none';
    return [kind, reached, shown(most), half(each), limit];
  });
  return { title: 'Requests', head, rows };
}

/** Latency at the load that was measured nearest to half of the capacity. */
function half({ requestsPerSecond, points }: KindReport): string {
  const distance = (offered: number) => Math.abs(offered - requestsPerSecond / 2);
  const [first, ...others] = points;
  if (!first) return '';
  const near = others.reduce(
    (best, point) => (distance(point.offered) < distance(best.offered) ? point : best),
    first,
  );
  return `${near.p50.toFixed(1)} / ${near.p99.toFixed(1)} at ${shown(near.offered)}/s`;
}

function holdingTable({ holding, machine }: CapacityReport): Table[] {
  if (!holding) return [];
  const { quads, emptyStart, loadStart, start, startWrites, bytes, emptyBytes } = holding;
  const loading = Math.max(0.001, loadStart - emptyStart);
  const rows = [
    ['quads', shown(quads)],
    ['load', `${loading.toFixed(2)} s, ${shown(quads / loading)} quads/s`],
    ['start-up with the data', `${start.toFixed(2)} s (${emptyStart.toFixed(2)} s without data)`],
    ['the same until it accepts writes', `${startWrites.toFixed(2)} s`],
  ];
  if (bytes !== undefined && emptyBytes !== undefined) {
    const perQuad = (bytes - emptyBytes) / quads;
    const room = machine.memoryGiB * GIB * SHARE_OF_MEMORY - emptyBytes;
    rows.push(['memory', `${shown(bytes / MIB)} MiB (${shown(emptyBytes / MIB)} MiB without data)`]);
    const caution = quads < FEW_QUADS ? ' (mostly fixed costs, with so few quads)' : '';
    rows.push(['memory per quad', `${shown(perQuad)} bytes${caution}`]);
    rows.push([
      'quads that would fit',
      `${shown(room / perQuad)} in three quarters of ${machine.memoryGiB} GiB; see also --data-max`,
    ]);
  }
  return [{ title: 'Data', head: ['what', 'found'], rows }];
}

function scalingTable({ scalings }: CapacityReport): Table[] {
  if (scalings.length === 0) return [];
  const rows = scalings.map(({ kind, points, fit }) => {
    const measured = points.map(({ threads, throughput }) => `${threads}: ${shown(throughput)}`).join(', ');
    if ('none' in fit) return [kind, measured, fit.none, ''];
    const { contention, coherence } = fit.law;
    const best = peak(fit.law);
    const law = `contention ${percent(contention)}, coherence ${percent(coherence)}${fit.caution ? ` (${fit.caution})` : ''}`;
    return [kind, measured, law, Number.isFinite(best) ? counted(Math.max(1, Math.round(best))) : 'none'];
  });
  const head = ['kind', 'threads: requests/s', 'universal scalability law', 'its peak'];
  return [{ title: 'Threads', head, rows }];
}

function counted(threads: number): string {
  return threads === 1 ? '1 thread' : `${threads} threads`;
}

function percent(share: number): string {
  return `${(share * 100).toPrecision(2)} %`;
}

function plotsOf({ kinds, scalings, bound }: CapacityReport): Plot[] {
  const latency = kinds.map(
    ({ kind, points }): Plot => ({
      title: `${kind}: latency against load`,
      x: { label: 'requests per second offered', scale: 'linear' },
      y: { label: 'ms from the moment due', scale: 'log' },
      series: [
        { name: 'p50', points: points.map(({ offered, p50 }) => [offered, p50]) },
        { name: 'p99', points: points.map(({ offered, p99 }) => [offered, p99]) },
        { name: `bound of ${bound} ms`, points: points.map(({ offered }) => [offered, bound]) },
      ],
    }),
  );
  return [...latency, ...scalings.map(scalingPlot)];
}

function scalingPlot({ kind, points, fit }: Scaling): Plot {
  const most = Math.max(...points.map(({ threads }) => threads));
  const axis = Array.from({ length: most * 2 }, (_, i) => i + 1);
  const measured = points.map(({ threads, throughput }) => [threads, throughput] as const);
  return {
    title: `${kind}: throughput against threads`,
    x: { label: 'worker threads', scale: 'linear' },
    y: { label: 'requests per second', scale: 'linear' },
    series: [
      { name: 'measured', points: measured, as: 'dots' },
      ...('law' in fit
        ? [{ name: 'fitted', points: axis.map((n) => [n, throughputAt(fit.law, n)] as const) }]
        : []),
    ],
  };
}

/** Columns side by side. */
function aligned(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
