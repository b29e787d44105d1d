/** One thread, no HTTP: the two-step path to JSON bytes, beside the same path as SPARQL in Oxigraph. */
import { namedNode, Store } from 'oxigraph';
import { Bench } from 'tinybench';
import { compilePath } from '../src/ldpath/compiler.ts';
import { Evaluator } from '../src/ldpath/evaluation.ts';
import { parseRdf } from '../src/rdf/parse.ts';
import { planMerge } from '../src/snapshot/plan.ts';
import { SnapshotWriter } from '../src/snapshot/writer.ts';
import { acquaintances, FOAF, GRAPH, PERSON, personTurtle, seededRandom } from './person-data.ts';
import type { Figure } from './report.ts';

/** Evaluations timed together, so that reading the clock counts for nothing. */
const A_SAMPLE = 100;

export async function benchEvaluation(persons: number): Promise<Figure[]> {
  const turtle = Buffer.from(personTurtle(persons));
  const writer = new SnapshotWriter();
  writer.apply(planMerge(writer, GRAPH, parseRdf(turtle, { mediaType: 'text/turtle', baseIri: GRAPH }), 'b'));
  writer.publish(1);
  const oxigraph = new Store();
  oxigraph.load(turtle, { format: 'text/turtle', to_graph_name: namedNode(GRAPH), lenient: true });
  return [await evaluationFigure(persons, writer, oxigraph), memoryFigure(writer)];
}

async function evaluationFigure(persons: number, writer: SnapshotWriter, oxigraph: Store): Promise<Figure> {
  const path = compilePath('foaf:knows/foaf:name', { prefixes: { foaf: FOAF } });
  const evaluator = new Evaluator();
  const out = evaluator.newWriter();
  const reader = writer.reader();
  const random = seededRandom(1);
  const next = () => Math.floor(random() * persons);
  const bench = new Bench({ time: 2000, warmupTime: 500 });
  bench.add('path', () => {
    for (let n = 0; n < A_SAMPLE; n++) {
      const i = next();
      out.length = 0;
      evaluator.writePath(path, reader, `<${PERSON}${i}>`, out);
      requireNames(out.length, i, persons);
    }
  });
  bench.add('sparql', () => {
    for (let n = 0; n < A_SAMPLE; n++) {
      const i = next();
      const query = `SELECT DISTINCT ?n { GRAPH <${GRAPH}> { <${PERSON}${i}> <${FOAF}knows>/<${FOAF}name> ?n } }`;
      const json = oxigraph.query(query, { results_format: 'json' }) as string;
      requireNames(json.length, i, persons);
    }
  });
  await bench.run();
  const [ours = [], theirs = []] = bench.tasks.map((task) => [throughput(task.result)]);
  return {
    name: 'foaf:knows/foaf:name to JSON bytes, one thread',
    unit: '/s',
    values: ours,
    reference: { name: 'the same as SPARQL to JSON in Oxigraph WASM', values: theirs },
    goal: '30 times or more',
  };
}

function throughput(result: unknown): number {
  const { throughput } = result as { throughput: { p50: number } };
  return throughput.p50 * A_SAMPLE;
}

/** A cheap check that the answer is there: five names take at least this many characters. */
function requireNames(length: number, i: number, persons: number): void {
  if (length < 40 * acquaintances(i, persons).length)
    throw new Error(`Person ${i}: only ${length} characters`);
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
