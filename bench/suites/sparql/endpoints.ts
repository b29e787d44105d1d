/**
 * The servers that are compared: this one, Oxigraph's own and Fuseki, each with the data set in its
 * default graph.
 */
import { existsSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { type KnownQuery, lightQueries, RESULTS_JSON } from '../../data/sparql-queries.ts';
import type { LoadRequest, Target } from '../../load/request.ts';
import { freePort } from '../../measure/free-port.ts';
import { type Running, startCommand, stop } from '../../measure/processes.ts';
import { putFile } from '../../measure/put-file.ts';
import type { Stage } from '../../stage.ts';

export interface Endpoint {
  readonly name: string;
  /** Where queries go. */
  readonly url: string;
  readonly pid: number;
}

export interface Peer extends Endpoint {
  readonly id: 'oxigraph' | 'fuseki';
  readonly running: Running;
}

const OXIGRAPH = '.cache/peers/oxigraph/bin/oxigraph';
const FUSEKI = '.cache/peers/fuseki/jena-fuseki-server-5.2.0.jar';
const UP_TRIES = 600;
const UP_PAUSE_MS = 100;
const RETRY_PAUSE_MS = 20;

export interface PeerKind {
  readonly id: Peer['id'];
  readonly name: string;
  readonly file: string;
  readonly install: string;
  readonly command: (port: number) => readonly [string, ...string[]];
  readonly query: string;
  readonly data: string;
}

export const peerKinds: readonly PeerKind[] = [
  {
    id: 'oxigraph',
    name: "Oxigraph's own server, in memory",
    file: OXIGRAPH,
    install:
      'python3 -m venv .cache/peers/oxigraph && .cache/peers/oxigraph/bin/pip install oxigraph==0.5.13',
    command: (port) => [OXIGRAPH, 'serve', '--bind', `127.0.0.1:${port}`],
    query: '/query',
    data: '/store?default',
  },
  {
    id: 'fuseki',
    name: 'Fuseki, in memory',
    file: FUSEKI,
    install:
      'mvn -f bench/peers/fuseki/pom.xml dependency:copy-dependencies -DexcludeTransitive -DoutputDirectory=../../../.cache/peers/fuseki',
    command: (port) => [
      'java',
      '-jar',
      FUSEKI,
      '--mem',
      '--localhost',
      '--quiet',
      '--port',
      String(port),
      '/ds',
    ],
    query: '/ds',
    data: '/ds?default',
  },
];

/** Undefined when it is not installed. */
export async function startPeer(kind: PeerKind, stage: Stage): Promise<Peer | undefined> {
  if (!existsSync(kind.file)) return undefined;
  const port = await freePort();
  const [command, ...args] = kind.command(port);
  const running = { process: startCommand(command, args) };
  running.process.stdout?.resume();
  const url = `http://127.0.0.1:${port}`;
  try {
    await untilUp(`${url}${kind.query}?query=${encodeURIComponent('ASK {}')}`, kind.name);
    await putFile(url + kind.data, await stage.turtle());
  } catch (error) {
    await stop(running, 'SIGKILL');
    throw error;
  }
  return { id: kind.id, name: kind.name, url: url + kind.query, pid: running.process.pid!, running };
}

async function untilUp(url: string, name: string): Promise<void> {
  for (let i = 0; i < UP_TRIES; i++) {
    const up = await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    );
    if (up) return;
    await wait(UP_PAUSE_MS);
  }
  throw new Error(`${name} did not start within a minute.`);
}

/** As GET requests, for the load generator. */
export function targetOf(
  { url }: Pick<Endpoint, 'url'>,
  queries: readonly KnownQuery[],
  accept = RESULTS_JSON,
): Target {
  const { origin, pathname } = new URL(url);
  const requests = queries.map(
    ({ text, contains }): LoadRequest => ({
      method: 'GET',
      path: `${pathname}?query=${encodeURIComponent(text)}`,
      headers: { Accept: accept },
      expect: { status: 200, contains },
    }),
  );
  return { url: origin, requests };
}

/**
 * Sends a light query until this server responds to it, and returns the milliseconds that took.
 * While a SPARQL thread loads the data, the server responds 503.
 */
export async function untilAnswered(stage: Stage, url: string): Promise<number> {
  const [query] = lightQueries('hop', stage.options.persons);
  const begin = performance.now();
  for (;;) {
    const response = await fetch(`${url}/sparql?query=${encodeURIComponent(query!.text)}`);
    const body = await response.text();
    if (response.status === 200 && body.includes(query!.contains)) return performance.now() - begin;
    if (response.status !== 503) throw new Error(`A light query got ${response.status}: ${body}`);
    await wait(RETRY_PAUSE_MS);
  }
}
