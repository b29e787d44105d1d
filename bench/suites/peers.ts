/**
 * Other engines on this machine in the same run: the path of two steps, and a small LDP document.
 */
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { PERSON } from '../data/person-data.ts';
import { nameOfAcquaintance, pathRequests, randomPersons } from '../data/person-requests.ts';
import { type LoadRequest, NUMBER, type Target } from '../load/request.ts';
import { freePort } from '../measure/free-port.ts';
import { start, startCommand, stop } from '../measure/processes.ts';
import type { Figure, Outcome, Skipped } from '../report/figure.ts';
import { requireGood, type Stage } from '../stage.ts';
import { helloRequests } from './beside-hello.ts';

/** Each has a package of its own: their configurations get in each other's way. */
const COMUNICA = 'bench/peers/comunica';
const SOLID = 'bench/peers/solid';
const PACKAGE = `${SOLID}/node_modules/@solid/community-server`;
const SOLID_START_TRIES = 600;
const DOCUMENT = '<> <http://purl.org/dc/terms/title> "A small resource" .';
const TURTLE = { 'Content-Type': 'text/turtle' };

const engines = [
  ['oxigraph', 'Oxigraph, SPARQL, behind uWebSockets.js', undefined],
  ['n3', 'N3.Store behind uWebSockets.js', undefined],
  ['comunica', 'Comunica over N3.Store behind uWebSockets.js', COMUNICA],
] as const;

export async function benchPeers(stage: Stage): Promise<Outcome> {
  const figures: Figure[] = [];
  const skipped: Skipped[] = [];
  const attempt = async (id: string, directory: string | undefined, measure: () => Promise<Figure[]>) => {
    if (directory !== undefined && !(await exists(`${directory}/node_modules`))) {
      skipped.push({ id, reason: `it is not installed (npm ci --prefix ${directory})` });
      return;
    }
    await measure().then(
      (found) => figures.push(...found),
      (error: Error) => skipped.push({ id, reason: error.message }),
    );
  };
  for (const [engine, name, directory] of engines) {
    await attempt(`peers.${engine}`, directory, async () => [await pathFigure(stage, engine, name)]);
  }
  await attempt('peers.solid', SOLID, () => solidFigures(stage));
  return { figures, skipped };
}

/** Their rate, with ours as the reference: the ratio says what share of ours they reach. */
async function pathFigure(stage: Stage, engine: string, name: string): Promise<Figure> {
  const { persons } = stage.options;
  const ours = { url: (await stage.server()).url, requests: pathRequests(persons) };
  const peer = await start('bench/children/peer-server', [engine, await stage.turtle()]);
  try {
    const theirs = { url: `http://127.0.0.1:${peer.line}`, requests: peerRequests(persons) };
    return {
      id: `peers.${engine}`,
      name: `the path of two steps over HTTP in ${name}, ${stage.options.connections} connections`,
      ...(await inTurn(stage, theirs, ours, 'GET /ldpath/path here')),
    };
  } finally {
    await stop(peer, 'SIGKILL');
  }
}

function peerRequests(persons: number): LoadRequest[] {
  return randomPersons(persons, 7).map((i) => ({
    method: 'GET',
    path: `/path?uri=${encodeURIComponent(PERSON + i)}`,
    expect: { status: 200, contains: nameOfAcquaintance(i, persons).slice(1, -1) },
  }));
}

async function solidFigures(stage: Stage): Promise<Figure[]> {
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const root = join(stage.directory, 'solid');
  const solid = startCommand(process.execPath, [
    `${PACKAGE}/bin/server.js`,
    ...['--port', String(port), '--loggingLevel', 'error', '--rootFilePath', root],
    ...['--config', `${PACKAGE}/config/file-root.json`],
  ]);
  try {
    await untilUp(url);
    await put(`${url}/x`);
    const expect = { status: 200, contains: 'A small resource' };
    const reads: Target = {
      url,
      requests: [{ method: 'GET', path: '/x', headers: { Accept: 'text/turtle' }, expect }],
    };
    const headers = { ...TURTLE, Slug: `n${NUMBER}` };
    const create: LoadRequest = {
      method: 'POST',
      path: '/',
      headers,
      body: DOCUMENT,
      expect: { status: 201 },
    };
    const hello = helloRequests(await stage.hello());
    const figure = async (id: string, what: string, target: Target): Promise<Figure> => ({
      id,
      name: `${what} in Community Solid Server, ${stage.options.connections} connections`,
      ...(await inTurn(stage, target, hello, 'hello-world')),
    });
    return [
      await figure('peers.solid.read', 'GET of a small RDF document', reads),
      await figure('peers.solid.create', 'POST of a small RDF document (not synced)', {
        url,
        requests: [create],
      }),
    ];
  } finally {
    await stop({ process: solid }, 'SIGKILL');
  }
}

async function inTurn(stage: Stage, target: Target, reference: Target, name: string) {
  const rate = async (each: Target) => requireGood(await stage.closed(each), each.url).requestsPerSecond;
  await rate(target);
  const values: number[] = [];
  const references: number[] = [];
  for (let round = 0; round < stage.heavyRounds; round++) {
    references.push(await rate(reference));
    values.push(await rate(target));
  }
  return { unit: 'requests/s', better: 'more', values, reference: { name, values: references } } as const;
}

async function untilUp(url: string): Promise<void> {
  for (let i = 0; i < SOLID_START_TRIES; i++) {
    const up = await fetch(url).then(
      (response) => response.ok,
      () => false,
    );
    if (up) return;
    await wait(100);
  }
  throw new Error('Community Solid Server did not start within a minute.');
}

async function put(url: string): Promise<void> {
  const response = await fetch(url, { method: 'PUT', headers: TURTLE, body: DOCUMENT });
  if (!response.ok) throw new Error(`PUT ${url} answered ${response.status}`);
}

function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
