/** One thread, no HTTP: a path and a program to JSON bytes, beside the same as SPARQL in Oxigraph. */
import { namedNode, Store } from 'oxigraph';
import { Bench } from 'tinybench';
import { compilePath, compileProgram } from '../src/ldpath/compiler.ts';
import { Evaluator } from '../src/ldpath/evaluation.ts';
import type { SnapshotWriter } from '../src/snapshot/writer.ts';
import { EX, FOAF, GRAPH, PATH, PERSON, PROGRAM, personTurtle, seededRandom } from './person-data.ts';
import { snapshotOf } from './person-snapshot.ts';
import type { Figure } from './report.ts';

/** Evaluations timed together, so that reading the clock counts for nothing. */
const A_SAMPLE = 100;
/** Any right answer has at least five names, and each takes more characters than this. */
const LEAST_CHARACTERS = 5 * 40;

/** Evaluates for one person; gives the characters or bytes of the JSON. */
type Evaluate = (person: string) => number;

export async function benchEvaluation(persons: number): Promise<Figure[]> {
  const turtle = personTurtle(persons);
  const writer = snapshotOf(turtle);
  const oxigraph = new Store();
  oxigraph.load(turtle, { format: 'text/turtle', to_graph_name: namedNode(GRAPH), lenient: true });
  const sparql = (query: (person: string) => string) => (person: string) =>
    (oxigraph.query(query(person), { results_format: 'json' }) as string).length;
  return [
    {
      name: `${PATH} to JSON bytes, one thread`,
      unit: '/s',
      ...(await compare(persons, evaluatePath(writer), sparql(pathQuery))),
      goal: '30 times or more; 400,000/s',
    },
    {
      name: 'program of six fields to JSON bytes, one thread',
      unit: '/s',
      ...(await compare(persons, evaluateProgram(writer), sparql(programQuery))),
      goal: '80,000/s',
    },
    memoryFigure(writer),
  ];
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

async function compare(persons: number, ours: Evaluate, theirs: Evaluate) {
  const random = seededRandom(1);
  const bench = new Bench({ time: 2000, warmupTime: 500 });
  for (const [name, evaluate] of Object.entries({ ours, theirs })) {
    bench.add(name, () => {
      for (let n = 0; n < A_SAMPLE; n++) {
        const length = evaluate(`<${PERSON}${Math.floor(random() * persons)}>`);
        if (length < LEAST_CHARACTERS) throw new Error(`${name}: an answer of ${length} characters`);
      }
    });
  }
  await bench.run();
  const [values = [], reference = []] = bench.tasks.map(({ result }) => [throughput(result)]);
  return { values, reference: { name: 'the same as SPARQL to JSON in Oxigraph WASM', values: reference } };
}

function throughput(result: unknown): number {
  const { throughput } = result as { throughput: { p50: number } };
  return throughput.p50 * A_SAMPLE;
}

function memoryFigure(writer: SnapshotWriter): Figure {
  const memory = writer.memory();
  const bytes = memory.dictionaryBytes + memory.baseBytes + memory.deltaBytes;
  return {
    name: 'snapshot, all in',
    unit: 'bytes a triple',
    values: [bytes / writer.descriptor.quadCount],
    goal: '80 or fewer',
  };
}
