/**
 * `GET /context?graph=` of 100,000 triples as N-Triples, compared with uWebSockets.js writing the
 * same bytes from memory.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { personTurtle, TRIPLES_A_PERSON } from '../data/person-data.ts';
import type { Target } from '../load/request.ts';
import { type Started, start, stop } from '../measure/processes.ts';
import { putFile } from '../measure/put-file.ts';
import type { Outcome } from '../report/figure.ts';
import { requireGood, type Stage } from '../stage.ts';

const PERSONS = 12_500;
const CONNECTIONS = 4;
const MEGABYTE = 1e6;
const GRAPH = 'urn:x:hundred-thousand';
const PATH = `/context?graph=${encodeURIComponent(GRAPH)}&format=nt`;

export async function benchContext(stage: Stage): Promise<Outcome> {
  const { url } = await stage.server();
  const turtle = join(stage.directory, 'hundred-thousand.ttl');
  await writeFile(turtle, personTurtle(PERSONS));
  await putFile(`${url}/context?graph=${encodeURIComponent(GRAPH)}`, turtle);
  const document = await download(url + PATH);
  const file = join(stage.directory, 'hundred-thousand.nt');
  await writeFile(file, document);
  const memory = await start('bench/children/bytes-server', [file]);
  try {
    return { figures: [await measure(stage, url, memory, document.length)] };
  } finally {
    await stop(memory, 'SIGKILL');
    await fetch(`${url}/context?graph=${encodeURIComponent(GRAPH)}`, { method: 'DELETE' });
  }
}

async function measure(stage: Stage, url: string, memory: Started, bytes: number) {
  const expect = { status: 200, bytes };
  const ours: Target = { url, requests: [{ method: 'GET', path: PATH, expect }] };
  const bare: Target = {
    url: `http://127.0.0.1:${memory.line}`,
    requests: [{ method: 'GET', path: '/', expect }],
  };
  const rate = async (target: Target) =>
    requireGood(await stage.closed(target, { connections: CONNECTIONS }), 'context').bytesPerSecond /
    MEGABYTE;
  await rate(bare);
  await rate(ours);
  const values: number[] = [];
  const references: number[] = [];
  for (let round = 0; round < stage.options.rounds; round++) {
    references.push(await rate(bare));
    values.push(await rate(ours));
  }
  return {
    id: 'context.read',
    name: `GET /context of 100,000 triples as N-Triples, ${CONNECTIONS} connections`,
    unit: 'MB/s',
    better: 'more',
    values,
    reference: { name: 'the same bytes from memory', values: references },
    goal: { of: 'ratio', bound: 0.3 },
  } as const;
}

/** Checked once: what is timed must have the same length. */
async function download(url: string): Promise<Buffer> {
  const response = await fetch(url);
  const bytes = Buffer.from(await response.arrayBuffer());
  const lines = bytes.reduce((sum, byte) => sum + (byte === 0x0a ? 1 : 0), 0);
  if (response.ok && lines === PERSONS * TRIPLES_A_PERSON) return bytes;
  throw new Error(`GET ${url} answered ${response.status} with ${lines} lines`);
}
