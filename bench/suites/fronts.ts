/** The same requests through both HTTP fronts, beside the hello-world in the same run. */
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { pathRequests } from '../data/person-requests.ts';
import type { LoadRequest } from '../load/request.ts';
import { stop } from '../measure/processes.ts';
import type { Figure, Outcome } from '../report/figure.ts';
import type { Server, Stage } from '../stage.ts';
import { besideHello } from './beside-hello.ts';

export async function benchFronts(stage: Stage): Promise<Outcome> {
  // Two servers can't have one data directory.
  await stage.endServer();
  const data = join(stage.directory, 'data-of-fronts');
  await cp(await stage.data(), data, { recursive: true });
  const figures: Figure[] = [];
  for (const front of ['uws', 'node']) {
    const server = await stage.startServer(['--data', data, '--front', front]);
    try {
      figures.push(...(await figuresOf(stage, front, server)));
    } finally {
      await stop(server.started);
    }
  }
  return { figures };
}

async function figuresOf(stage: Stage, front: string, server: Server): Promise<Figure[]> {
  const { url } = server;
  const live: LoadRequest = {
    method: 'GET',
    path: '/health/live',
    expect: { status: 200, contains: 'live' },
  };
  const byName = `--front ${front}`;
  return [
    await besideHello(stage, {
      id: `fronts-${front}-live`,
      name: `GET /health/live, ${byName}`,
      server,
      target: { url, requests: [live] },
    }),
    await besideHello(stage, {
      id: `fronts-${front}-path`,
      name: `GET /ldpath/path, two steps, random starts, ${byName}`,
      server,
      target: { url, requests: pathRequests(stage.options.persons) },
    }),
  ];
}
