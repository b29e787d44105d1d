/**
 * One thread without HTTP: which results of a program a commit has changed, from the rows of the
 * commit to the JSON of the changed results.
 */
import { readFile } from 'node:fs/promises';
import { changedResults } from '../../src/ldpath/affected/changed-results.ts';
import { compileAffected } from '../../src/ldpath/affected/program-plan.ts';
import { compileProgram } from '../../src/ldpath/compile/compiler.ts';
import { Evaluator } from '../../src/ldpath/evaluate/evaluation.ts';
import { parseRdf } from '../../src/rdf/formats/parse-document.ts';
import { NetChangesBuilder } from '../../src/snapshot/feed/net-changes-builder.ts';
import { earlierSnapshot } from '../../src/snapshot/read/earlier-snapshot.ts';
import { openSnapshot } from '../../src/snapshot/read/reader.ts';
import { planMerge } from '../../src/snapshot/write/change-plan.ts';
import { EX, FOAF, GRAPH, PERSON, PROGRAM } from '../data/person-data.ts';
import { snapshotOf } from '../data/person-snapshot.ts';
import type { Figure, Outcome } from '../report/figure.ts';
import type { Stage } from '../stage.ts';
import { rate } from './in-turn.ts';

/** More terms on the way than the search may find. */
const LIMIT = 1_000_000;

interface Work {
  readonly id: string;
  readonly name: string;
  readonly goal: number;
  /** Added to the data. */
  readonly triples: string;
  readonly least: number;
  readonly most: number;
}

/** The age of a person is part of that person's result, and of those of five others. */
const works: readonly Work[] = [
  {
    id: 'none',
    name: 'a commit that concerns no start resource of the program',
    goal: 0.1,
    triples: `<${PERSON}5> <${EX}unused> "new" .`,
    least: 0,
    most: 0,
  },
  {
    id: 'ten',
    name: 'a commit that changes the results of about ten start resources',
    goal: 1,
    triples: `<${PERSON}5> <${FOAF}knows> <${PERSON}9> .\n<${PERSON}5> <${EX}age> 30 .`,
    least: 5,
    most: 15,
  },
];

export async function benchAffected(stage: Stage): Promise<Outcome> {
  const turtle = await readFile(await stage.turtle(), 'utf8');
  const figures: Figure[] = [];
  for (const work of works) figures.push(await measure(stage, turtle, work));
  return { figures };
}

async function measure({ options }: Stage, turtle: string, work: Work): Promise<Figure> {
  const { call, changed } = changesOf(turtle, work.triples);
  if (changed < work.least || changed > work.most) throw new Error(`${work.name}: it changes ${changed}`);
  const values: number[] = [];
  for (let round = 0; round < options.rounds; round++) {
    values.push(1000 / (await rate(work.name, call, Math.min(0.5, options.seconds), round === 0)));
  }
  return {
    id: `affected.${work.id}`,
    name: work.name,
    unit: 'ms a program',
    better: 'less',
    values,
    goal: { of: 'value', bound: work.goal },
    note: `changed results: ${changed}`,
  };
}

/** Returns the work for one commit, which can be repeated, and the number of changed results. */
function changesOf(turtle: string, triples: string): { call: () => number; changed: number } {
  const writer = snapshotOf(turtle);
  const block = parseRdf(Buffer.from(`${triples}\n`), { mediaType: 'text/turtle', baseIri: GRAPH });
  const { additions } = planMerge(writer, GRAPH, block, 'c');
  writer.apply({ additions, removals: new Uint32Array(0) });
  const descriptor = writer.publish(2);
  const parts = {
    program: compileProgram(PROGRAM, { prefixes: {} }),
    plan: compileAffected(PROGRAM, undefined, { prefixes: {} }),
  };
  const evaluator = new Evaluator();
  const call = () => {
    const present = openSnapshot(descriptor);
    const builder = new NetChangesBuilder(present);
    builder.addRows(additions);
    const changes = builder.finish();
    const states = { present, changes, earlier: earlierSnapshot(descriptor, changes, 1) };
    const results = changedResults(parts, states, evaluator, LIMIT);
    if (results === 'too-many') throw new Error('Too many start resources are affected.');
    let count = 0;
    for (const { document } of results) if (document !== undefined) count++;
    return count;
  };
  return { call, changed: call() };
}
