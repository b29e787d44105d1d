import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { FOAF, PERSON } from '../data/person-data.ts';
import { freePort } from '../measure/free-port.ts';
import { spawnEntry, stop } from '../measure/processes.ts';
import { BASE, type Stage } from '../stage.ts';

const POLL_MS = 2;
/** Longest start, in milliseconds. */
const START_MS = 300_000;

/** From the start of the process until `works` gives true; then the process is killed. */
export async function millisecondsUntil(
  works: (url: string) => Promise<boolean>,
  stage: Stage,
  data: string,
): Promise<number> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const began = performance.now();
  const threads = String(stage.options.threads);
  const common = ['--port', String(port), '--base', BASE, '--threads', threads];
  const child = spawnEntry('src/main', [...common, '--data', data]);
  let ended = false;
  void once(child, 'exit').then(() => {
    ended = true;
  });
  try {
    while (!(await works(url).catch(() => false))) {
      if (ended || performance.now() - began > START_MS) throw new Error('The server did not start.');
      await wait(POLL_MS);
    }
    return performance.now() - began;
  } finally {
    await stop({ process: child }, 'SIGKILL');
  }
}

export async function readOnce(url: string): Promise<boolean> {
  const query = new URLSearchParams({ path: `<${FOAF}name>`, uri: `${PERSON}1` });
  const response = await fetch(`${url}/ldpath/path?${query}`);
  return (await response.text()).includes('"Person 1"');
}

export async function writeOnce(url: string): Promise<boolean> {
  const body = `<urn:x:s> <urn:x:p> "${Date.now()}" .`;
  const headers = { 'Content-Type': 'application/n-triples' };
  const response = await fetch(`${url}/context?graph=urn:x:start`, { method: 'PUT', headers, body });
  return response.ok;
}
