/**
 * `POST /ldpath/batch` compared with one evaluator in this process on the same data: evaluations
 * per second.
 */
import { readFile } from 'node:fs/promises';
import { compilePath, compileProgram } from '../../src/ldpath/compile/compiler.ts';
import { Evaluator } from '../../src/ldpath/evaluate/evaluation.ts';
import type { SnapshotReader } from '../../src/snapshot/read/reader.ts';
import { FOAF, PATH, PERSON, PROGRAM } from '../data/person-data.ts';
import { randomPersons } from '../data/person-requests.ts';
import { snapshotOf } from '../data/person-snapshot.ts';
import type { Target } from '../load/request.ts';
import type { Figure, Outcome } from '../report/figure.ts';
import { requireGood, type Stage } from '../stage.ts';
import { wholeSetFigure } from './whole-sets.ts';

const BATCH = 10_000;
/** Share of a thread that each of the server's threads should reach. */
const GOAL = 0.8;
/** Share of the rate of nodes that each other format should reach. */
const FORMAT_GOAL = 0.85;
/** A batch is not cut off by the end of a slice, so that slices hold a few at least. */
const LEAST_SECONDS = 2;

type Mode = 'path' | 'program';

export async function benchBatch(stage: Stage): Promise<Outcome> {
  const server = await stage.server();
  const reader = snapshotOf(await readFile(await stage.turtle(), 'utf8')).reader();
  const figures: Figure[] = [];
  for (const mode of ['path', 'program'] as const) {
    figures.push(await batchFigure(mode, stage, server.url, reader));
    figures.push(await wholeSetFigure(mode, stage, server.url));
  }
  for (const mode of ['path', 'program'] as const) {
    figures.push(...(await formatFigures(mode, stage, server.url)));
  }
  return { figures };
}

async function batchFigure(mode: Mode, stage: Stage, url: string, reader: SnapshotReader): Promise<Figure> {
  const source = mode === 'path' ? PATH : PROGRAM;
  const { persons, rounds, threads } = stage.options;
  const seconds = Math.max(LEAST_SECONDS, stage.options.seconds);
  const uris = randomPersons(persons, 3, BATCH).map((i) => PERSON + i);
  const target = batchTarget(url, JSON.stringify({ [mode]: source, uris }));
  const evaluate = inProcess(mode, source, uris, reader);
  const bare: number[] = [];
  const ours: number[] = [];
  for (let round = -1; round < rounds; round++) {
    const reference = rate(seconds, evaluate);
    const measured = requireGood(await stage.closed(target, { connections: 1, seconds }), 'batch');
    // The first round warms up.
    if (round < 0) continue;
    bare.push(reference);
    ours.push(measured.requestsPerSecond * BATCH);
  }
  return {
    id: `batch.${mode}`,
    name: `POST /ldpath/batch, ${mode === 'path' ? 'path of two steps' : 'program of six fields'}, ${BATCH} starts each, ${threads} threads`,
    unit: 'evaluations/s',
    better: 'more',
    values: ours,
    reference: { name: 'one evaluator in process', values: bare },
    goal: { of: 'ratio', bound: GOAL * threads },
  };
}

/** Measures each format in turn with nodes. */
async function formatFigures(mode: Mode, stage: Stage, url: string): Promise<Figure[]> {
  const { persons, rounds, threads, seconds } = stage.options;
  const uris = randomPersons(persons, 3, BATCH).map((i) => PERSON + i);
  const members = { [mode]: mode === 'path' ? PATH : PROGRAM, uris };
  const measure = async (format: string, contains: string) => {
    const target = formatTarget(url, JSON.stringify({ ...members, format }), contains);
    const measured = await stage.closed(target, { connections: 1, seconds: Math.max(1, seconds) });
    return requireGood(measured, `batch in ${format}`).requestsPerSecond * BATCH;
  };
  const nodes = new Map<string, number[]>(formats.map(([format]) => [format, []]));
  const ours = new Map<string, number[]>(formats.map(([format]) => [format, []]));
  for (let round = -1; round < rounds; round++) {
    for (const [format, contains] of formats) {
      const plain = await measure('nodes', '"done":true');
      const rate = await measure(format, contains);
      // The first round warms up.
      if (round < 0) continue;
      nodes.get(format)!.push(plain);
      ours.get(format)!.push(rate);
    }
  }
  return formats.map(([format]) => ({
    id: `batch.${mode}.${format}`,
    name: `POST /ldpath/batch, ${mode}, format ${format}, ${threads} threads`,
    unit: 'evaluations/s',
    better: 'more',
    values: ours.get(format)!,
    reference: { name: 'the same in nodes', values: nodes.get(format)! },
    goal: { of: 'ratio', bound: FORMAT_GOAL },
  }));
}

/** Each with a text that a whole response contains. */
const formats = [
  ['values', '"done":true'],
  ['csv', 'uri,'],
  ['tsv', 'uri\t'],
  ['solr', '\n]\n'],
  ['bulk', '{"index":{"_id":"'],
  ['jsonld', '\n]}\n'],
] as const;

function formatTarget(url: string, body: string, contains: string): Target {
  return {
    url,
    requests: [{ method: 'POST', path: '/ldpath/batch', body, expect: { status: 200, contains } }],
  };
}

function batchTarget(url: string, body: string): Target {
  const expect = { status: 200, contains: `{"done":true,"count":${BATCH},"errors":0,` };
  return { url, requests: [{ method: 'POST', path: '/ldpath/batch', body, expect }] };
}

/** Evaluations a second, of calls that make `BATCH` each. */
function rate(seconds: number, batch: () => void): number {
  const began = performance.now();
  let batches = 0;
  do {
    batch();
    batches++;
  } while (performance.now() - began < seconds * 1000);
  return (batches * BATCH * 1000) / (performance.now() - began);
}

function inProcess(mode: Mode, source: string, uris: readonly string[], reader: SnapshotReader): () => void {
  const evaluator = new Evaluator();
  const out = evaluator.newWriter();
  const prefixes = { foaf: FOAF };
  const path = mode === 'path' ? compilePath(source, { prefixes }) : undefined;
  const program = path ? undefined : compileProgram(source, { prefixes });
  return () => {
    for (const uri of uris) {
      out.clear();
      if (path) evaluator.writePath(path, reader, `<${uri}>`, out);
      if (program) evaluator.writeProgram(program, reader, `<${uri}>`, out);
      if (out.length < 200) throw new Error(`${uri}: only ${out.length} bytes`);
    }
  };
}
