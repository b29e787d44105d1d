/**
 * One thread without HTTP: a path and a program evaluated to JSON bytes, compared with the same
 * queries as SPARQL in Oxigraph; and the memory of the snapshot.
 */
import { readFile } from 'node:fs/promises';
import { namedNode, Store } from 'oxigraph';
import { compilePath, compileProgram } from '../../src/ldpath/compile/compiler.ts';
import { Evaluator } from '../../src/ldpath/evaluate/evaluation.ts';
import type { SnapshotWriter } from '../../src/snapshot/write/snapshot-writer.ts';
import { EX, FOAF, GRAPH, PATH, PERSON, PROGRAM, seededRandom } from '../data/person-data.ts';
import { snapshotOf } from '../data/person-snapshot.ts';
import type { Figure, Outcome } from '../report/figure.ts';
import type { Stage } from '../stage.ts';
import { inTurn } from './in-turn.ts';

/** Evaluations timed together, so that reading the clock counts for nothing. */
const A_SAMPLE = 100;
/** Any right answer has at least five names, and each takes more characters than this. */
const LEAST_CHARACTERS = 5 * 40;

/** Evaluates for one person; gives the characters or bytes of the JSON. */
type Evaluate = (person: string) => number;

export async function benchEvaluation(stage: Stage): Promise<Outcome> {
  const turtle = await readFile(await stage.turtle(), 'utf8');
  const writer = snapshotOf(turtle);
  const oxigraph = new Store();
  oxigraph.load(turtle, { format: 'text/turtle', to_graph_name: namedNode(GRAPH), lenient: true });
  const sparql = (query: (person: string) => string) => (person: string) =>
    (oxigraph.query(query(person), { results_format: 'json' }) as string).length;
  const figures: Figure[] = [
    {
      id: 'evaluation.path',
      name: 'path of two steps to JSON bytes, one thread',
      ...(await compare(stage, evaluatePath(writer), sparql(pathQuery))),
      goal: { of: 'ratio', bound: 30 },
    },
    {
      id: 'evaluation.program',
      name: 'program of six fields to JSON bytes, one thread',
      ...(await compare(stage, evaluateProgram(writer), sparql(programQuery))),
      goal: { of: 'value', bound: 80_000 },
    },
    memoryFigure(writer),
  ];
  return { figures };
}

function evaluatePath(writer: SnapshotWriter): Evaluate {
  const path = compilePath(PATH, { prefixes: {} });
  const evaluator = new Evaluator();
  const out = evaluator.newWriter();
  const reader = writer.reader();
  return (person) => {
    out.clear();
    evaluator.writePath(path, reader, person, out);
    return out.length;
  };
}

function evaluateProgram(writer: SnapshotWriter): Evaluate {
  const program = compileProgram(PROGRAM, { prefixes: {} });
  const evaluator = new Evaluator();
  const out = evaluator.newWriter();
  const reader = writer.reader();
  return (person) => {
    out.clear();
    evaluator.writeProgram(program, reader, person, out);
    return out.length;
  };
}

function pathQuery(person: string): string {
  return `SELECT DISTINCT ?v { GRAPH <${GRAPH}> { ${person} <${FOAF}knows>/<${FOAF}name> ?v } }`;
}

function programQuery(person: string): string {
  const knows = `<${FOAF}knows>`;
  const name = `<${FOAF}name>`;
  const fields = [
    `${person} ${name} ?v BIND("name" AS ?f)`,
    `${person} <${EX}age> ?v BIND("age" AS ?f)`,
    `${person} ${knows}/${name} ?v BIND("friends" AS ?f)`,
    `${person} ${knows}/${knows}/${name} ?v BIND("fof" AS ?f)`,
    `${person} ^${knows}/${name} ?v BIND("inverse" AS ?f)`,
    `${person} ${knows} ?x . ?x <${EX}age> 30 ; ${name} ?v BIND("thirty" AS ?f)`,
  ];
  return `SELECT DISTINCT ?f ?v { GRAPH <${GRAPH}> { { ${fields.join(' } UNION { ')} } } }`;
}

async function compare(stage: Stage, ours: Evaluate, theirs: Evaluate) {
  const random = seededRandom(1);
  const sample = (evaluate: Evaluate) => () => {
    for (let n = 0; n < A_SAMPLE; n++) {
      const length = evaluate(`<${PERSON}${Math.floor(random() * stage.options.persons)}>`);
      if (length < LEAST_CHARACTERS) throw new Error(`an answer of ${length} characters`);
    }
  };
  const { first, second } = await inTurn(stage.options, sample(theirs), sample(ours));
  return {
    unit: 'evaluations/s',
    better: 'more',
    values: second.map((rate) => rate * A_SAMPLE),
    reference: { name: 'as SPARQL in Oxigraph WASM', values: first.map((rate) => rate * A_SAMPLE) },
  } as const;
}

function memoryFigure(writer: SnapshotWriter): Figure {
  const { dictionaryBytes, baseBytes, deltaBytes } = writer.memory();
  return {
    id: 'memory.snapshot',
    name: 'snapshot, all in',
    unit: 'bytes a triple',
    better: 'less',
    values: [(dictionaryBytes + baseBytes + deltaBytes) / writer.descriptor.quadCount],
    goal: { of: 'value', bound: 60 },
  };
}
