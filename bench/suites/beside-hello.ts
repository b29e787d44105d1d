import type { LoadResult } from '../load/load.ts';
import type { Target } from '../load/request.ts';
import { processorUse, threadTimes, total } from '../measure/processor-time.ts';
import { median } from '../measure/statistics.ts';
import type { Figure } from '../report/figure.ts';
import { requireGood, type Server, type Stage } from '../stage.ts';

/** Above this share of a core the generator is what was measured. */
const GENERATOR_IS_THE_LIMIT = 0.9;

export interface HttpSubject {
  readonly id: string;
  readonly name: string;
  readonly server: Server;
  readonly target: Target;
  readonly goal?: number;
  /** What to measure it beside, if that is not the hello-world. */
  readonly reference?: Pick<HttpSubject, 'name' | 'server' | 'target'>;
}

/**
 * Measures requests per second of a target and of its reference, usually a uWebSockets.js
 * hello-world, in alternating slices.
 */
export async function besideHello(stage: Stage, subject: HttpSubject): Promise<Figure> {
  const { id, name, server, target, goal } = subject;
  const reference = subject.reference ?? (await helloReference(stage));
  for (const each of [reference.target, target]) {
    requireGood(await stage.closed(each, { seconds: Math.min(1, stage.options.seconds) }), name);
  }
  const bare: Slice[] = [];
  const ours: Slice[] = [];
  for (let round = 0; round < stage.options.rounds; round++) {
    bare.push(await slice(stage, reference.server, reference.target, name));
    ours.push(await slice(stage, server, target, name));
  }
  const costs = processorCosts(ours, bare);
  return {
    id,
    name: `${name}, ${stage.options.connections} connections`,
    unit: 'requests/s',
    better: 'more',
    values: ours.map(({ result }) => result.requestsPerSecond),
    reference: { name: reference.name, values: bare.map(({ result }) => result.requestsPerSecond) },
    ...(goal !== undefined && { goal: { of: 'ratio', bound: goal } }),
    note: noteOf(ours, bare, costs),
    details: {
      p50Ms: median(ours.map(({ result }) => result.latency.p50)),
      p99Ms: median(ours.map(({ result }) => result.latency.p99)),
      ...costs,
    },
  };
}

async function helloReference(stage: Stage) {
  const server = await stage.hello();
  return { name: 'hello-world', server, target: helloRequests(server) };
}

export function helloRequests({ url }: Server): Target {
  const expect = { status: 200, bytes: 13, contains: 'Hello, world!' };
  return { url, requests: [{ method: 'GET', path: '/', expect }] };
}

interface Slice {
  readonly result: LoadResult;
  /** Microseconds of processor time per request; undefined if the system does not report it. */
  readonly main: number | undefined;
  readonly all: number | undefined;
}

async function slice(stage: Stage, server: Server, target: Target, name: string): Promise<Slice> {
  const { pid } = server.started;
  const before = threadTimes(pid);
  const result = requireGood(await stage.closed(target), name);
  const after = threadTimes(pid);
  if (!before || !after) return { result, main: undefined, all: undefined };
  const use = processorUse(pid, before, after);
  const requests = result.requestsPerSecond * result.seconds;
  return { result, main: (use.main * 1e6) / requests, all: (total(use) * 1e6) / requests };
}

/** Medians; empty where the system does not tell. */
function processorCosts(ours: readonly Slice[], bare: readonly Slice[]) {
  const known = [...ours, ...bare].every(({ main }) => main !== undefined);
  if (!known) return {};
  const mainMicroseconds = median(ours.map(({ main }) => main!));
  const referenceMicroseconds = median(bare.map(({ main }) => main!));
  return {
    mainMicroseconds,
    allMicroseconds: median(ours.map(({ all }) => all!)),
    referenceMicroseconds,
    /** What the ratio would be if the main thread were all that counts. */
    mainThreadRatio: referenceMicroseconds / mainMicroseconds,
  };
}

function noteOf(
  ours: readonly Slice[],
  bare: readonly Slice[],
  costs: { readonly mainThreadRatio?: number; readonly mainMicroseconds?: number },
): string {
  const p99 = median(ours.map(({ result }) => result.latency.p99)).toFixed(2);
  const words = [`p99 ${p99} ms`];
  if (costs.mainThreadRatio !== undefined && costs.mainMicroseconds !== undefined) {
    const cost = costs.mainMicroseconds.toFixed(1);
    words.push(`main thread ${cost} µs a request, by that a ratio of ${costs.mainThreadRatio.toFixed(2)}`);
  }
  const busiest = Math.max(...[...ours, ...bare].map(({ result }) => result.generatorLoad));
  if (busiest > GENERATOR_IS_THE_LIMIT) words.push('the load generator was a limit');
  return words.join('; ');
}
