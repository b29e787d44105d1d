/** Acknowledged small writes over HTTP beside what the disk does bare. */
import { join } from 'node:path';
import { type LoadRequest, NUMBER } from '../load/request.ts';
import { stop } from '../measure/processes.ts';
import type { Outcome } from '../report/figure.ts';
import type { Stage } from '../stage.ts';
import { besideSyncs } from './beside-syncs.ts';

const GRAPHS = 64;

export async function benchDurability(stage: Stage): Promise<Outcome> {
  const server = await stage.startServer(['--data', join(stage.directory, 'durability')]);
  try {
    const figures = await besideSyncs(stage, {
      id: 'writes',
      name: 'acknowledged writes of one triple',
      target: { url: server.url, requests: smallWrites() },
      connections: [1, 16, 64, 256],
      goal: 3,
    });
    return { figures };
  } finally {
    await stop(server.started, 'SIGKILL');
  }
}

/** Every request adds a triple that was never there before. */
export function smallWrites(): LoadRequest[] {
  return Array.from({ length: GRAPHS }, (_, graph) => ({
    method: 'POST',
    path: `/context?graph=urn:x:g${graph}`,
    headers: { 'Content-Type': 'application/n-triples' },
    body: `<urn:x:s${NUMBER}> <urn:x:p> "${graph}" .`,
    expect: { status: [200, 201] },
  }));
}
