/**
 * LDP: reading a small RDF source, the same with 304, creating durably, and creating in a container
 * with 100,000 children.
 */
import { join } from 'node:path';
import { type LoadRequest, NUMBER, type Target } from '../load/request.ts';
import { stop } from '../measure/processes.ts';
import type { Figure, Outcome } from '../report/figure.ts';
import { requireGood, type Server, type Stage } from '../stage.ts';
import { besideHello } from './beside-hello.ts';
import { besideSyncs } from './beside-syncs.ts';

const SOURCES = 1_000;
const CHILDREN = 100_000;
/** Creations in one slice of the comparison of containers. */
const SLICE_SECONDS = 1;
/** Seconds after which a container is not filled any further. */
const FILL_SECONDS = 120;
const GOAL_OF_CHILDREN = 0.8;
const SMALL =
  '<> <http://purl.org/dc/terms/title> "A small resource" ; <http://xmlns.com/foaf/0.1/topic> <urn:x:topic> .';
const TURTLE = { 'Content-Type': 'text/turtle' };
const CONTAINER = '<http://www.w3.org/ns/ldp#BasicContainer>; rel="type"';

export async function benchLdp(stage: Stage): Promise<Outcome> {
  const figures = await reading(stage, await stage.server());
  const server = await stage.startServer(['--data', join(stage.directory, 'ldp')]);
  try {
    const writes = await besideSyncs(stage, {
      id: 'ldp.create',
      name: 'POST /ldp of a small RDF source, acknowledged',
      target: creations(server, await create(server, '/ldp', 'writes', CONTAINER)),
      connections: [1, 16, 64],
    });
    return { figures: [...figures, ...writes, await childrenFigure(stage, server)] };
  } finally {
    await stop(server.started, 'SIGKILL');
  }
}

async function reading(stage: Stage, server: Server): Promise<Figure[]> {
  const container = await create(server, '/ldp', 'reads', CONTAINER);
  const paths: string[] = [];
  for (let i = 0; i < SOURCES; i++) paths.push(await create(server, container, `x${i}`));
  const reads = paths.map(
    (path): LoadRequest => ({
      method: 'GET',
      path,
      headers: { Accept: 'text/turtle' },
      expect: { status: 200, contains: '"A small resource"' },
    }),
  );
  const again: LoadRequest[] = [];
  for (const read of reads) {
    const headers = { ...read.headers, 'If-None-Match': await entityTag(server.url + read.path) };
    again.push({ ...read, headers, expect: { status: 304, bytes: 0 } });
  }
  const { url } = server;
  return [
    await besideHello(stage, {
      id: 'ldp.read',
      name: 'GET /ldp/x, a small RDF source as Turtle',
      server,
      target: { url, requests: reads },
      goal: 0.5,
    }),
    await besideHello(stage, {
      id: 'ldp.not-modified',
      name: 'GET /ldp/x, If-None-Match, 304',
      server,
      target: { url, requests: again },
      goal: 0.7,
    }),
  ];
}

/** Creations one after another in a container of 100,000 children and in an empty one, in turn. */
async function childrenFigure(stage: Stage, server: Server): Promise<Figure> {
  const full = creations(server, await create(server, '/ldp', 'full', CONTAINER));
  let children = 0;
  const began = performance.now();
  while (children < CHILDREN && performance.now() - began < FILL_SECONDS * 1000) {
    const { requestsPerSecond, seconds } = requireGood(await stage.closed(full, { seconds: 2 }), 'POST /ldp');
    children += Math.round(requestsPerSecond * seconds);
  }
  const first: number[] = [];
  const last: number[] = [];
  for (let round = 0; round < stage.options.rounds; round++) {
    const empty = creations(server, await create(server, '/ldp', `empty${round}`, CONTAINER));
    const one = { connections: 1, seconds: SLICE_SECONDS };
    first.push(requireGood(await stage.closed(empty, one), 'POST /ldp').requestsPerSecond);
    last.push(requireGood(await stage.closed(full, one), 'POST /ldp').requestsPerSecond);
  }
  return {
    id: 'ldp.children',
    name: `POST /ldp, one after another, in a container of ${children.toLocaleString('en')} children`,
    unit: 'writes/s',
    better: 'more',
    values: last,
    reference: { name: 'in an empty container', values: first },
    goal: { of: 'ratio', bound: GOAL_OF_CHILDREN },
    ...(children < CHILDREN && { note: `filling ended after ${FILL_SECONDS} s` }),
  };
}

function creations({ url }: Server, container: string): Target {
  const headers = { ...TURTLE, Slug: `n${NUMBER}` };
  return {
    url,
    requests: [{ method: 'POST', path: container, headers, body: SMALL, expect: { status: 201 } }],
  };
}

/** The path of what was created. */
async function create({ url }: Server, container: string, slug: string, model?: string): Promise<string> {
  const headers = { ...TURTLE, Slug: slug, ...(model !== undefined && { Link: model }) };
  const response = await fetch(url + container, { method: 'POST', headers, body: SMALL });
  await response.arrayBuffer();
  const location = response.headers.get('location');
  if (response.status === 201 && location) return new URL(location).pathname;
  throw new Error(
    `this server creates nothing in LDP containers: POST ${container} answered ${response.status}`,
  );
}

async function entityTag(url: string): Promise<string> {
  const response = await fetch(url, { headers: { Accept: 'text/turtle' } });
  await response.arrayBuffer();
  const tag = response.headers.get('etag');
  if (tag) return tag;
  throw new Error(`GET ${url} answered ${response.status} without an entity tag`);
}
