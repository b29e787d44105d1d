import { join } from 'node:path';
import type { LoadResult } from '../load/load.ts';
import type { Target } from '../load/request.ts';
import { median } from '../measure/statistics.ts';
import type { Figure } from '../report/figure.ts';
import { requireGood, type Stage } from '../stage.ts';
import { bareSyncs } from './bare-syncs.ts';

export interface WriteSubject {
  readonly id: string;
  readonly name: string;
  readonly target: Target;
  readonly connections: readonly number[];
  /** At 64 connections. */
  readonly goal?: number;
}

/**
 * Measures acknowledged writes per second at several numbers of connections, alternating with bare
 * appends and syncs on the same disk.
 */
export async function besideSyncs(stage: Stage, subject: WriteSubject): Promise<Figure[]> {
  const { id, name, target, connections, goal } = subject;
  const bare: number[] = [];
  const results = new Map<number, LoadResult[]>(connections.map((count) => [count, []]));
  requireGood(await stage.closed(target, { seconds: Math.min(1, stage.options.seconds) }), name);
  for (let round = 0; round < stage.options.rounds; round++) {
    bare.push(bareSyncs(join(stage.directory, 'syncs'), Math.min(1, stage.options.seconds)));
    for (const [count, list] of results) {
      list.push(requireGood(await stage.closed(target, { connections: count }), name));
    }
  }
  return [...results].map(([count, measured]) => ({
    id: `${id}.${count}`,
    name: `${name}, ${count} connection${count === 1 ? '' : 's'}`,
    unit: 'writes/s',
    better: 'more',
    values: measured.map(({ requestsPerSecond }) => requestsPerSecond),
    reference: { name: 'append and fdatasync', values: bare },
    ...(count === 64 && goal !== undefined && { goal: { of: 'ratio', bound: goal } }),
    note: `p50 ${middle(measured, 'p50')} ms, p99 ${middle(measured, 'p99')} ms`,
  }));
}

function middle(results: readonly LoadResult[], key: 'p50' | 'p99'): string {
  return median(results.map(({ latency }) => latency[key])).toFixed(2);
}
