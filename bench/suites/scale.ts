/** How the cost of loading, starting, reading and writing grows with the number of triples. */
import { createHash } from 'node:crypto';
import { createReadStream, readdirSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { personTurtle, TRIPLES_A_PERSON } from '../data/person-data.ts';
import { pathRequestsInParts } from '../data/person-requests.ts';
import { stop } from '../measure/processes.ts';
import { residentBytes } from '../measure/processor-time.ts';
import { putFile } from '../measure/put-file.ts';
import { untilWritable } from '../measure/until-writable.ts';
import { writtenBytes } from '../measure/written-bytes.ts';
import type { Figure, Outcome } from '../report/figure.ts';
import { requireGood, type Stage } from '../stage.ts';
import { smallWrites } from './durability.ts';
import { millisecondsUntil, readOnce, writeOnce } from './start-up.ts';

/** Of one document, in triples. */
const PART = 500_000;
const PART_PERSONS = PART / TRIPLES_A_PERSON;
const WRITES_A_SECOND = 20;
/** Small writes are watched in slices of so many seconds while documents are loaded. */
const WATCH_SECONDS = 2;

/** A number of triples, whole documents of them. */
interface Size {
  readonly triples: number;
  /** Such as `4M`. */
  readonly label: string;
}

export async function benchScale(stage: Stage): Promise<Outcome> {
  const data = join(stage.directory, 'scale');
  const emptyBytes = await residentAfter(stage, ['--memory']);
  const figures: Figure[] = [];
  let parts = 0;
  for (const triples of stage.options.sizes) {
    const size = { triples, label: `${triples / 1e6}M` };
    const wanted = Math.round(triples / PART);
    figures.push(...(await load(stage, data, size, parts, wanted)));
    figures.push(...(await restart(stage, data, size, emptyBytes)));
    parts = wanted;
  }
  await rm(data, { recursive: true });
  return { figures };
}

/** Loads documents one after another, beside small writes. */
async function load(stage: Stage, data: string, size: Size, from: number, to: number): Promise<Figure[]> {
  const file = join(stage.directory, 'part.ttl');
  const server = await stage.startServer(['--data', data]);
  const { pid } = server.started;
  try {
    const writtenBefore = writtenBytes(pid) ?? 0;
    let milliseconds = 0;
    let longest = 0;
    for (let part = from; part < to; part++) {
      await writeFile(file, personTurtle(PART_PERSONS, part * PART_PERSONS));
      const began = performance.now();
      const loading = putFile(`${server.url}/context?graph=urn:x:part${part}`, file).then(() => {
        milliseconds += performance.now() - began;
      });
      longest = Math.max(longest, await longestWriteWhile(stage, server.url, loading));
    }
    await rm(file);
    const added = (to - from) * PART;
    const written = ((writtenBytes(pid) ?? Number.NaN) - writtenBefore) / added;
    const resident = (residentBytes(pid) ?? Number.NaN) / size.triples;
    return [
      figure(size, 'load', 'PUT of documents of 500k triples', 'triples/s', [(1000 * added) / milliseconds]),
      {
        ...figure(size, 'write', 'longest of 20 small writes a second meanwhile', 'ms', [longest]),
        goal: { of: 'value', bound: 100 },
      },
      figure(size, 'written', 'written to disk meanwhile, checkpoints included', 'bytes a triple', [written]),
      figure(size, 'loaded', 'memory of the process after it', 'bytes a triple', [resident]),
    ];
  } finally {
    await stop(server.started);
  }
}

/** The longest latency of small writes until `work` is done, in milliseconds. */
async function longestWriteWhile(stage: Stage, url: string, work: Promise<void>): Promise<number> {
  let working = true;
  const done = work.finally(() => {
    working = false;
  });
  const target = { url, requests: smallWrites() };
  let longest = 0;
  while (working) {
    const result = requireGood(await stage.open(target, WRITES_A_SECOND, WATCH_SECONDS), 'small writes');
    longest = Math.max(longest, result.latency.max);
  }
  await done;
  return longest;
}

async function restart(stage: Stage, data: string, size: Size, emptyBytes: number): Promise<Figure[]> {
  const digests: number[] = [];
  const reads: number[] = [];
  const writes: number[] = [];
  const memory: number[] = [];
  for (let round = 0; round < stage.options.rounds; round++) {
    digests.push(await digestSeconds(data));
    reads.push((await millisecondsUntil(readOnce, stage, data)) / 1000);
    writes.push((await millisecondsUntil(writeOnce, stage, data)) / 1000);
    memory.push(((await residentAfter(stage, ['--data', data])) - emptyBytes) / size.triples);
  }
  const reference = { name: 'SHA-256 of the checkpoint', values: digests };
  const goal = { of: 'ratio', bound: 1.5 } as const;
  return [
    { ...figure(size, 'read', 'start-up until the first read', 's', reads), reference, goal },
    { ...figure(size, 'first-write', 'start-up until the first write', 's', writes), reference, goal },
    {
      ...figure(size, 'memory', 'memory after a start beyond an empty server', 'bytes a triple', memory),
      goal: { of: 'value', bound: 60 },
    },
    figure(size, 'path', 'two steps from random persons', 'answers/s', await pathRates(stage, data, size)),
  ];
}

async function pathRates(stage: Stage, data: string, size: Size): Promise<number[]> {
  const server = await stage.startServer(['--data', data]);
  const requests = pathRequestsInParts(size.triples / TRIPLES_A_PERSON, PART_PERSONS);
  const rates: number[] = [];
  try {
    await stage.closed({ url: server.url, requests });
    for (let round = 0; round < stage.options.rounds; round++) {
      rates.push(requireGood(await stage.closed({ url: server.url, requests }), 'path').requestsPerSecond);
    }
    return rates;
  } finally {
    await stop(server.started);
  }
}

async function residentAfter(stage: Stage, args: readonly string[]): Promise<number> {
  const server = await stage.startServer(args);
  try {
    await untilWritable(server.url);
    return residentBytes(server.started.pid) ?? Number.NaN;
  } finally {
    await stop(server.started);
  }
}

/** What it takes to read and digest the files of the checkpoint, in seconds. */
async function digestSeconds(data: string): Promise<number> {
  const began = performance.now();
  for (const name of readdirSync(data).filter((each) => each.startsWith('checkpoint-'))) {
    await pipeline(createReadStream(join(data, name), { highWaterMark: 2 ** 20 }), createHash('sha256'));
  }
  return (performance.now() - began) / 1000;
}

function figure({ label }: Size, id: string, name: string, unit: string, values: readonly number[]): Figure {
  const better = unit.endsWith('/s') ? 'more' : 'less';
  return { id: `scale.${label}.${id}`, name: `${label} triples: ${name}`, unit, better, values };
}
