/**
 * One thread without HTTP: the formats of results that a batch writes (http-api 4.11), compared
 * with lines of nodes: documents per second of processor time.
 */
import { readFile } from 'node:fs/promises';
import { compilePath, compileProgram } from '../../src/ldpath/compile/compiler.ts';
import { Evaluator } from '../../src/ldpath/evaluate/evaluation.ts';
import type { ResultWriter } from '../../src/ldpath/evaluate/result-writer.ts';
import type { ShapedFormat } from '../../src/ldpath/shapes/format.ts';
import { pathShapes, programShapes } from '../../src/ldpath/shapes/program-shapes.ts';
import type { SnapshotReader } from '../../src/snapshot/read/reader.ts';
import { PATH, PERSON, PROGRAM } from '../data/person-data.ts';
import { snapshotOf } from '../data/person-snapshot.ts';
import type { Figure, Outcome } from '../report/figure.ts';
import type { Stage } from '../stage.ts';

type Mode = 'path' | 'program';
/** Writes the document of a start resource. */
type Write = (start: number) => void;

const formats: readonly ShapedFormat[] = ['values', 'csv', 'tsv', 'solr', 'bulk', 'jsonld'];
/** What the goal is for. */
const withGoal: ReadonlySet<ShapedFormat> = new Set(['values', 'csv', 'solr']);
const GOAL = 0.85;
/** Start resources of a sample: a few milliseconds. */
const SAMPLE = { path: 10_000, program: 1_500 } as const;
/** Samples of each format in a round: their processor time is read in steps of a microsecond. */
const SAMPLES = 10;
/** A writer that has more bytes starts again. */
const ENOUGH_BYTES = 4 * 1024 * 1024;
const noDirectives = { filter: undefined, boost: undefined };

export async function benchFormats(stage: Stage): Promise<Outcome> {
  const reader = snapshotOf(await readFile(await stage.turtle(), 'utf8')).reader();
  return { figures: [...measure(stage, reader, 'path'), ...measure(stage, reader, 'program')] };
}

function measure({ options }: Stage, reader: SnapshotReader, mode: Mode): Figure[] {
  const { persons, rounds } = options;
  const starts = Array.from({ length: persons }, (_, i) => reader.find(`<${PERSON}${i}>`));
  const writers = [nodesWriter(mode, reader), ...formats.map((format) => writerOf(format, mode, reader))];
  const values: number[][] = writers.map(() => []);
  // The first round warms up.
  for (let round = -1; round < rounds; round++) {
    const seconds = writers.map(() => 0);
    for (let sample = 0; sample < SAMPLES; sample++) {
      const from = (sample * SAMPLE[mode]) % Math.max(1, persons - SAMPLE[mode]);
      const some = starts.slice(from, from + SAMPLE[mode]);
      for (const [i, write] of writers.entries()) seconds[i]! += secondsOf(write, some);
    }
    if (round < 0) continue;
    const count = SAMPLES * Math.min(persons, SAMPLE[mode]);
    for (const [i, each] of seconds.entries()) values[i]!.push(count / each);
  }
  const [nodes, ...others] = values;
  return others.map((rates, i) => {
    const format = formats[i]!;
    return {
      id: `formats.${mode}.${format}`,
      name: `${mode}, ${format}, one thread`,
      unit: 'documents/s of processor time',
      better: 'more',
      values: rates,
      reference: { name: 'lines of nodes', values: nodes! },
      ...(withGoal.has(format) && { goal: { of: 'ratio', bound: GOAL } }),
    };
  });
}

/** Returns seconds of processor time. */
function secondsOf(write: Write, starts: readonly number[]): number {
  const before = process.cpuUsage();
  for (const start of starts) write(start);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

function nodesWriter(mode: Mode, reader: SnapshotReader): Write {
  const evaluator = new Evaluator();
  const out = evaluator.newWriter();
  const path = compilePath(PATH, { prefixes: {} });
  const program = compileProgram(PROGRAM, { prefixes: {} });
  const { terms } = reader;
  return (start) => {
    clearIfFull(out);
    out.text('{"uri":"');
    out.copy(terms.bytes, terms.start(start) + 1, terms.end(start) - 1);
    out.text('","result":');
    if (mode === 'path') evaluator.writePath(path, reader, start, out);
    else evaluator.writeProgram(program, reader, start, out);
    out.text('}\n');
  };
}

function writerOf(format: ShapedFormat, mode: Mode, graph: SnapshotReader): Write {
  const evaluator = new Evaluator();
  const out = evaluator.newWriter();
  const path = compilePath(PATH, { prefixes: {} });
  const program = compileProgram(PROGRAM, { prefixes: {} });
  const { listed } = mode === 'path' ? pathShapes({ format }) : programShapes(program, { format });
  return (start) => {
    clearIfFull(out);
    if (mode === 'path') evaluator.writePathIn(listed, path, { graph, start }, out);
    else evaluator.writeProgramIn(listed, program, { graph, start }, out);
    listed.end(noDirectives, out);
  };
}

function clearIfFull(out: ResultWriter): void {
  if (out.length > ENOUGH_BYTES) out.clear();
}
