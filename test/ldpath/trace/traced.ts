import { compileProgram } from '../../../src/ldpath/compile/compiler.ts';
import { Evaluator } from '../../../src/ldpath/evaluate/evaluation.ts';
import type { NodeObject } from '../../../src/ldpath/evaluate/node-object.ts';
import { SourceText } from '../../../src/ldpath/syntax/source-text.ts';
import { Recorder } from '../../../src/ldpath/trace/recorder.ts';
import type { Trace, TraceLimits } from '../../../src/ldpath/trace/trace.ts';
import { TracingGraph } from '../../../src/ldpath/trace/tracing-graph.ts';
import { TracingScope } from '../../../src/ldpath/trace/tracing-scope.ts';
import type { PathGraph } from '../../../src/rdf/model/path-graph.ts';
import { prefixes, show } from '../support.ts';

export interface Traced {
  readonly trace: Trace;
  /** The JSON of the result, with the values of filter and boost. */
  readonly output: string;
  /** The steps of the result. */
  readonly steps: number;
}

const budget = { steps: 20_000, terms: 5000 };

/** `start`: canonical N-Triples. */
export function traced(
  graph: PathGraph,
  start: string,
  program: string,
  limits: TraceLimits = { nodes: 1000, edges: 2000 },
): Traced {
  const recorder = new Recorder(graph, limits);
  const compiled = compileProgram(
    program,
    { prefixes },
    (source, known) => new TracingScope(source, known, recorder),
  );
  const evaluated = evaluate(compiled, new TracingGraph(graph, recorder), start);
  return { ...evaluated, trace: recorder.trace(new SourceText(program, 'program')) };
}

/** The same without a trace. */
export function untraced(graph: PathGraph, start: string, program: string): Omit<Traced, 'trace'> {
  return evaluate(compileProgram(program, { prefixes }), graph, start);
}

function evaluate(
  compiled: ReturnType<typeof compileProgram>,
  graph: PathGraph,
  start: string,
): Omit<Traced, 'trace'> {
  const evaluator = new Evaluator(budget);
  const out = evaluator.newWriter();
  evaluator.writeProgram(compiled, graph, start, out);
  const steps = evaluator.totalSteps;
  const skipped = JSON.stringify(evaluator.warnings);
  const directives = [
    evaluator.acceptsStart(compiled, graph, start),
    evaluator.boost(compiled, graph, start),
  ];
  return { output: `${Buffer.from(out.slice()).toString()} ${skipped} ${directives.join(' ')}`, steps };
}

/** The edges for people: `anna -knows-> ben`, with `^` for inverse ones and `?` for unused ones. */
export function edgesOf({ nodes, edges }: Trace, field?: string): string[] {
  return edges
    .filter((edge) => field === undefined || edge.field === field)
    .map(({ from, to, predicate, inverse, used }) => {
      const name = predicate.replace(/.*[/#]/, inverse ? '^' : '');
      return `${shortest(nodes[from]!)} -${name}-> ${shortest(nodes[to]!)}${used ? '' : ' ?'}`;
    });
}

function shortest(node: NodeObject): string {
  return show(node).replace('ex:', '');
}
