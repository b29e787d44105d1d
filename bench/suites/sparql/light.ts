/** Light queries, many at once, each in turn with the same query of another server. */
import { type LightKind, lightQueries } from '../../data/sparql-queries.ts';
import type { LoadResult } from '../../load/load.ts';
import type { Target } from '../../load/request.ts';
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
  const run = async (target: Target) => requireGood(await stage.closed(target), target.url);
  for (const target of [own, other]) await stage.closed(target, { seconds: WARM_UP_SECONDS });
  const values: LoadResult[] = [];
  const references: LoadResult[] = [];
  for (let round = 0; round < stage.heavyRounds; round++) {
    references.push(await run(other));
    values.push(await run(own));
  }
  const p99 = (results: typeof values) => median(results.map(({ latency }) => latency.p99)).toFixed(2);
  return {
    id: `sparql.${light.kind}.${peer.id}`,
    name: `${light.name}, ${stage.options.connections} connections`,
    unit: 'requests/s',
    better: 'more',
    values: values.map(({ requestsPerSecond }) => requestsPerSecond),
    reference: { name: peer.name, values: references.map(({ requestsPerSecond }) => requestsPerSecond) },
    ...(peer.id === 'oxigraph' && light.goal && { goal: { of: 'ratio', bound: light.goal } }),
    note: `p99 ${p99(values)} ms, theirs ${p99(references)} ms`,
  };
}
