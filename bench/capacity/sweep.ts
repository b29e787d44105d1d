import { cpus } from 'node:os';
import type { Generator } from '../load/generator.ts';
import type { LoadResult } from '../load/load.ts';
import { processorUse, threadTimes } from '../measure/processor-time.ts';
import { bottleneck, type Use } from './bottleneck.ts';
import { BATCH, type Kind } from './kinds.ts';
import type { Ready } from './prepare.ts';
import { type Capacity, findCapacity, type SearchPlan, toPoint } from './search.ts';

/** What was found of one kind of request. */
export interface KindReport extends Capacity {
  readonly kind: Kind;
  /** Requests a second that the closed loop gave, whatever their latency. */
  readonly most: number;
  /** Evaluations of one request. */
  readonly evaluations: number;
  readonly use: Use;
  readonly limit: string;
  /** Answers that were wrong while the closed loop ran. */
  readonly failures: number;
  readonly fault: string | undefined;
}

export interface SweepOptions {
  readonly generator: Generator;
  readonly plan: SearchPlan;
  readonly seconds: number;
  readonly connections: number;
  readonly pid: number | undefined;
  readonly threads: number | undefined;
  readonly progress: (words: string) => void;
}

const CLOSED_CONNECTIONS = 64;

export function closedLoop(
  { target }: Ready,
  { generator, seconds, connections }: Pick<SweepOptions, 'generator' | 'seconds' | 'connections'>,
): Promise<LoadResult> {
  const most = Math.min(CLOSED_CONNECTIONS, connections);
  return generator.run(target, { kind: 'closed', connections: most, seconds });
}

/** All that the server gives, then the greatest load with which p99 stays within the bound. */
export async function sweep(ready: Ready, options: SweepOptions): Promise<KindReport> {
  const { kind, target } = ready;
  const { generator, plan, seconds, connections, threads, progress } = options;
  const { result, use } = await watched(options.pid, () => closedLoop(ready, options));
  const most = result.requestsPerSecond;
  progress(`${kind}: at most ${most.toFixed(0)}/s`);
  const capacity = await findCapacity(most, plan, async (perSecond) => {
    const measured = await generator.run(target, { kind: 'open', perSecond, seconds, connections });
    const point = toPoint(perSecond, measured);
    progress(
      `${kind} at ${perSecond.toFixed(0)}/s: p50 ${point.p50.toFixed(1)}, p99 ${point.p99.toFixed(1)} ms`,
    );
    return point;
  });
  const { failures, fault } = result;
  const evaluations = kind === 'batch' ? Math.min(BATCH, startsOf(ready)) : 1;
  return {
    kind,
    most,
    evaluations,
    use,
    limit: bottleneck(kind, use, threads),
    failures,
    fault,
    ...capacity,
  };
}

function startsOf({ target }: Ready): number {
  return (JSON.parse(target.requests[0]!.body ?? '{}') as { uris?: readonly string[] }).uris?.length ?? 1;
}

async function watched(
  pid: number | undefined,
  run: () => Promise<LoadResult>,
): Promise<{ result: LoadResult; use: Use }> {
  const before = pid === undefined ? undefined : threadTimes(pid);
  const machineBefore = machineTimes();
  const result = await run();
  const after = pid === undefined ? undefined : threadTimes(pid);
  const machineAfter = machineTimes();
  const busy = machineAfter.busy - machineBefore.busy;
  const machine = busy / Math.max(1, machineAfter.all - machineBefore.all);
  const generator = result.generatorLoad;
  if (pid === undefined || !before || !after) {
    return { result, use: { main: undefined, others: undefined, generator, machine, cores: cpus().length } };
  }
  const used = processorUse(pid, before, after);
  const share = (value: number) => value / result.seconds;
  const shares = { main: share(used.main), others: used.others.map(share) };
  return { result, use: { ...shares, generator, machine, cores: cpus().length } };
}

/** Milliseconds of all cores. */
function machineTimes(): { busy: number; all: number } {
  const times = cpus().map(({ times: { idle, user, sys, nice, irq } }) => ({
    idle,
    busy: user + sys + nice + irq,
  }));
  const busy = times.reduce((sum, each) => sum + each.busy, 0);
  return { busy, all: times.reduce((sum, each) => sum + each.idle, busy) };
}
