import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { compileProgram } from '../../src/ldpath/compile/compiler.ts';
import { LdPathError } from '../../src/ldpath/errors.ts';
import type { NodeObject } from '../../src/ldpath/evaluate/node-object.ts';
import type { Trace } from '../../src/ldpath/trace/trace.ts';
import type { PathGraph } from '../../src/rdf/model/path-graph.ts';
import { formatTerm, languageLiteral, literal, XSD_STRING } from '../../src/rdf/model/term.ts';
import { graphs, paths, starts } from '../ldpath/generators.ts';
import { prefixes } from '../ldpath/support.ts';
import { traced, untraced } from '../ldpath/trace/traced.ts';

/** Those of most requests, and such that leave out much. */
const limits = fc.constantFrom({ nodes: 1000, edges: 2000 }, { nodes: 4, edges: 6 }, { nodes: 9, edges: 5 });

const programs = fc.tuple(paths, paths, paths).map(([a, b, test]) => {
  return `@filter fn:eq(${test}, "7") ; @boost ${b} ; a = ${a} ; b = ${b} :: xsd:integer ;`;
});

function compiles(program: string): boolean {
  try {
    compileProgram(program, { prefixes });
    return true;
  } catch {
    return false;
  }
}

function outcome<T>(evaluate: () => T): T | string {
  try {
    return evaluate();
  } catch (error) {
    if (error instanceof LdPathError) return error.message;
    throw error;
  }
}

function canonical({ type, value, lang, datatype }: NodeObject): string {
  if (type === 'uri') return `<${value}>`;
  return formatTerm(
    lang === undefined ? literal(value, datatype ?? XSD_STRING) : languageLiteral(value, lang),
  );
}

/** The nodes that can be reached over used edges of a field. */
function reached({ edges }: Trace, field: string): Set<number> {
  const found = new Set([0]);
  for (const node of found) {
    for (const edge of edges) if (edge.used && edge.field === field && edge.from === node) found.add(edge.to);
  }
  return found;
}

function has(graph: PathGraph, trace: Trace, edge: Trace['edges'][number]): boolean {
  const [from, to] = [edge.from, edge.to].map((index) => graph.find(canonical(trace.nodes[index]!)));
  const predicate = graph.find(`<${edge.predicate}>`);
  return edge.inverse ? graph.has(to!, predicate, from!) : graph.has(from!, predicate, to!);
}

it('the result is the same, in the same steps, with and without a trace', () => {
  fc.assert(
    fc.property(graphs, starts, programs.filter(compiles), limits, (graph, start, program, bounds) => {
      const plain = outcome(() => untraced(graph, start, program));
      const watched = outcome(() => traced(graph, start, program, bounds));
      if (typeof watched === 'string') return assert.equal(watched, plain);
      const { output, steps } = watched;
      assert.deepEqual({ output, steps }, plain);
    }),
    { numRuns: 500 },
  );
});

it('every edge of a trace is a triple of the data in its direction', () => {
  fc.assert(
    fc.property(graphs, starts, programs.filter(compiles), limits, (graph, start, program, bounds) => {
      const watched = outcome(() => traced(graph, start, program, bounds));
      if (typeof watched === 'string') return;
      const { trace } = watched;
      assert.ok(trace.nodes.length <= bounds.nodes && trace.edges.length <= bounds.edges);
      for (const edge of trace.edges) assert.ok(has(graph, trace, edge), JSON.stringify({ edge, program }));
    }),
    { numRuns: 500 },
  );
});

it('every result of a path without functions and constants is reached over used edges', () => {
  const plain = paths.filter((path) => compiles(`a = ${path} ;`) && !/fn:|"|'|\d|true/.test(path));
  fc.assert(
    fc.property(graphs, starts, plain, (graph, start, path) => {
      const watched = outcome(() => traced(graph, start, `a = ${path} ;`));
      if (typeof watched === 'string') return;
      const { trace } = watched;
      const [field] = trace.fields;
      const found = reached(trace, 'a');
      assert.deepEqual(field!.values, [], path);
      for (const node of field!.nodes) assert.ok(found.has(node), JSON.stringify({ node, path, trace }));
    }),
    { numRuns: 500 },
  );
});

it('every used edge is on a walk that begins at the start resource', () => {
  const plain = paths.filter((path) => compiles(`a = ${path} ;`) && !/fn:|"|'|\d|true/.test(path));
  fc.assert(
    fc.property(graphs, starts, plain, limits, (graph, start, path, bounds) => {
      const watched = outcome(() => traced(graph, start, `a = ${path} ;`, bounds));
      if (typeof watched === 'string') return;
      const found = reached(watched.trace, 'a');
      for (const { used, from } of watched.trace.edges) assert.ok(!used || found.has(from), path);
    }),
    { numRuns: 500 },
  );
});
