/** Light queries, many at once, each in turn with the same query of another server. */
import { type LightKind, lightQueries } from '../../data/sparql-queries.ts';
import type { LoadResult } from '../../load/load.ts';
import type { Target } from '../../load/request.ts';
import { processSeconds } from '../../measure/processor-time.ts';
import { median } from '../../measure/statistics.ts';
import type { Figure } from '../../report/figure.ts';
import { requireGood, type Stage } from '../../stage.ts';
import { type Endpoint, type Peer, targetOf } from './endpoints.ts';

/** Java compiles what it runs often. */
const WARM_UP_SECONDS = 5;

interface LightFigure {
  readonly kind: LightKind;
  readonly name: string;
  /** Of ours to Oxigraph's. */
  readonly goal?: number;
}

const kinds: readonly LightFigure[] = [
  { kind: 'ask', name: 'ASK for one triple' },
  { kind: 'hop', name: 'SELECT over one hop', goal: 1 },
  { kind: 'steps', name: 'SELECT over a path of two steps', goal: 1 },
];

export const lightFigures = kinds.map((light) => ({
  kind: light.kind,
  measure: (stage: Stage, ours: Endpoint, peer: Peer) => lightFigure(stage, ours, peer, light),
}));

async function lightFigure(stage: Stage, ours: Endpoint, peer: Peer, light: LightFigure): Promise<Figure> {
  const queries = lightQueries(light.kind, stage.options.persons);
  const [own, other] = [targetOf(ours, queries), targetOf(peer, queries)];
  for (const target of [own, other]) await stage.closed(target, { seconds: WARM_UP_SECONDS });
  const values: Slice[] = [];
  const references: Slice[] = [];
  for (let round = 0; round < stage.heavyRounds; round++) {
    references.push(await slice(stage, other, peer.pid));
    values.push(await slice(stage, own, ours.pid));
  }
  const rates = (slices: readonly Slice[]) => slices.map(({ result }) => result.requestsPerSecond);
  return {
    id: `sparql.${light.kind}.${peer.id}`,
    name: `${light.name}, ${stage.options.connections} connections`,
    unit: 'requests/s',
    better: 'more',
    values: rates(values),
    reference: { name: peer.name, values: rates(references) },
    ...(peer.id === 'oxigraph' && light.goal && { goal: { of: 'ratio', bound: light.goal } }),
    note: `${costText(values)}; theirs: ${costText(references)}`,
  };
}

interface Slice {
  readonly result: LoadResult;
  /** Microseconds of processor time a request. */
  readonly cost: number;
}

async function slice(stage: Stage, target: Target, pid: number): Promise<Slice> {
  const before = processSeconds(pid) ?? Number.NaN;
  const result = requireGood(await stage.closed(target), target.url);
  const used = (processSeconds(pid) ?? Number.NaN) - before;
  return { result, cost: (used * 1e6) / (result.requestsPerSecond * result.seconds) };
}

function costText(slices: readonly Slice[]): string {
  const p99 = median(slices.map(({ result }) => result.latency.p99)).toFixed(2);
  return `p99 ${p99} ms, ${median(slices.map(({ cost }) => cost)).toFixed(0)} µs of processor time a request`;
}
