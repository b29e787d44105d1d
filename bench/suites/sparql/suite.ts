/**
 * SPARQL: light and heavy queries beside other servers, and what queries without end do to
 * everything else.
 */
import { GRAPH } from '../../data/person-data.ts';
import { heavyQueries } from '../../data/sparql-queries.ts';
import { stop } from '../../measure/processes.ts';
import type { Figure, Outcome, Skipped } from '../../report/figure.ts';
import type { Server, Stage } from '../../stage.ts';
import { commitFigures } from './commits.ts';
import { type Peer, type PeerKind, peerKinds, startPeer, untilAnswered } from './endpoints.ts';
import { heavyFigure } from './heavy.ts';
import { killFigures } from './kills.ts';
import { lightFigures } from './light.ts';
import { runawayFigures } from './runaways.ts';

/** So that runaways come to their deadline within a slice. */
const DEADLINE_S = 5;
const SHORT_DEADLINE_S = 1;

/** Takes figures, or keeps the reason why one is not there. */
type Attempt = (id: string, measure: () => Promise<readonly Figure[]>) => Promise<void>;

export async function benchSparql(stage: Stage): Promise<Outcome> {
  const figures: Figure[] = [];
  const skipped: Skipped[] = [];
  const attempt: Attempt = (id, measure) =>
    measure().then(
      (found) => {
        figures.push(...found);
      },
      (error: Error) => {
        skipped.push({ id, reason: error.message });
      },
    );
  if (stage.options.peers) {
    for (const kind of peerKinds) await besidePeer(stage, kind, attempt);
    await stage.endServer();
  }
  await withServer(stage, DEADLINE_S, async ({ url }) => {
    await attempt('sparql.runaways', () => runawayFigures(stage, url));
    await attempt('sparql.commits', () => commitFigures(stage, url));
  });
  await withServer(stage, SHORT_DEADLINE_S, async ({ url, started }) => {
    const deadline = SHORT_DEADLINE_S * 1000;
    await attempt('sparql.kills', () => killFigures(stage, url, started.pid, deadline));
  });
  return { figures, skipped };
}

async function besidePeer(stage: Stage, kind: PeerKind, attempt: Attempt): Promise<void> {
  let peer: Peer | undefined;
  await attempt(`sparql.${kind.id}`, async () => {
    peer = await startPeer(kind, stage);
    if (!peer) throw new Error(`it is not installed (${kind.install})`);
    return [];
  });
  if (!peer) return;
  const theirs = peer;
  // A new server, because the heavy queries of the load generator have moved its light ones to the
  // threads for slow queries for a while.
  await stage.endServer();
  const { url, started } = await stage.server();
  await untilAnswered(stage, url);
  const ours = { name: 'this server', url: `${url}/sparql`, pid: started.pid };
  for (const { kind: light, measure } of lightFigures) {
    await attempt(`sparql.${light}.${theirs.id}`, async () => [await measure(stage, ours, theirs)]);
  }
  for (const query of heavyQueries(stage.options.persons)) {
    await attempt(`sparql.${query.id}.${theirs.id}`, async () => [
      await heavyFigure(stage, ours, theirs, query),
    ]);
  }
  await stop(theirs.running, 'SIGKILL');
}

/** With the data set in memory, so that no other suite meets what was written. */
async function withServer(
  stage: Stage,
  deadline: number,
  measure: (server: Server) => Promise<void>,
): Promise<void> {
  const load = `${await stage.turtle()}=${GRAPH}`;
  const server = await stage.startServer(['--memory', '--load', load, '--sparql-time', String(deadline)]);
  try {
    await measure(server);
  } finally {
    await stop(server.started, 'SIGKILL');
  }
}
