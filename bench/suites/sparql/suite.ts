/** SPARQL: light and heavy queries beside other servers, and what queries without end do to everything else. */
import { GRAPH } from '../../data/person-data.ts';
import { stop } from '../../measure/processes.ts';
import type { Figure, Outcome, Skipped } from '../../report/figure.ts';
import type { Server, Stage } from '../../stage.ts';
import { commitFigures } from './commits.ts';
import { peerKinds, startPeer } from './endpoints.ts';
import { heavyFigures } from './heavy.ts';
import { killFigures } from './kills.ts';
import { lightFigures } from './light.ts';
import { runawayFigures } from './runaways.ts';

const DEADLINE_MS = 1_000;

export async function benchSparql(stage: Stage): Promise<Outcome> {
  const figures: Figure[] = [];
  const skipped: Skipped[] = [];
  const attempt = (id: string, measure: () => Promise<Figure[]>) =>
    measure().then(
      (found) => figures.push(...found),
      (error: Error) => skipped.push({ id, reason: error.message }),
    );
  await stage.data();
  if (stage.options.peers) {
    for (const kind of peerKinds) {
      await attempt(`sparql.${kind.id}`, () => besidePeer(stage, kind));
    }
  }
  await stage.endServer();
  await withServer(stage, [], async ({ url }) => {
    await attempt('sparql.runaways', () => runawayFigures(stage, url));
    await attempt('sparql.commits', () => commitFigures(stage, url));
  });
  await withServer(stage, ['--sparql-time', `${DEADLINE_MS}ms`], async ({ url, started }) => {
    await attempt('sparql.kills', () => killFigures(stage, url, started.pid, DEADLINE_MS));
  });
  return { figures, skipped };
}

async function besidePeer(stage: Stage, kind: (typeof peerKinds)[number]): Promise<Figure[]> {
  const peer = await startPeer(kind, stage);
  if (!peer) throw new Error(`it is not installed (${kind.install})`);
  try {
    const ours = { name: 'this server', url: `${(await stage.server()).url}/sparql` };
    return [...(await lightFigures(stage, ours, peer)), ...(await heavyFigures(stage, ours, peer))];
  } finally {
    await stop(peer.running, 'SIGKILL');
  }
}

/** With the data set in memory, so that no other suite meets what was written. */
async function withServer(
  stage: Stage,
  args: readonly string[],
  measure: (server: Server) => Promise<void>,
): Promise<void> {
  const server = await stage.startServer(['--memory', '--load', `${await stage.turtle()}=${GRAPH}`, ...args]);
  try {
    await measure(server);
  } finally {
    await stop(server.started, 'SIGKILL');
  }
}
