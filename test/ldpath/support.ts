import { type Term as N3Term, Parser } from 'n3';
import { compilePath, compileProgram } from '../../src/ldpath/compile/compiler.ts';
import { LdPathError } from '../../src/ldpath/errors.ts';
import type { Budget } from '../../src/ldpath/evaluate/budget.ts';
import type { EvaluationWarning } from '../../src/ldpath/evaluate/context.ts';
import { Evaluator } from '../../src/ldpath/evaluate/evaluation.ts';
import { IndexedGraph } from '../../src/ldpath/evaluate/indexed-graph.ts';
import type { NodeObject } from '../../src/ldpath/evaluate/node-object.ts';
import { blankNode, formatTerm, iri, languageLiteral, literal } from '../../src/rdf/model/term.ts';

const prologue = `
  @prefix ex: <http://example.org/> . @prefix foaf: <http://xmlns.com/foaf/0.1/> .
  @prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
  @prefix skos: <http://www.w3.org/2004/02/skos/core#> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
`;

export const prefixes = { ex: 'http://example.org/' };

/** Reads Turtle, TriG or N-Triples; blank nodes keep their labels. */
export function graphOf(turtle: string): IndexedGraph {
  const quads = new Parser({ format: 'TriG', blankNodePrefix: '' }).parse(prologue + turtle);
  return IndexedGraph.of(
    quads.map(({ subject, predicate, object, graph }) => ({
      subject: canonical(subject),
      predicate: canonical(predicate),
      object: canonical(object),
      ...(graph.termType !== 'DefaultGraph' && { graph: canonical(graph) }),
    })),
  );
}

function canonical(term: N3Term): string {
  switch (term.termType) {
    case 'NamedNode':
      return formatTerm(iri(term.value));
    case 'BlankNode':
      return formatTerm(blankNode(term.value));
    case 'Literal':
      return formatTerm(
        term.language === ''
          ? literal(term.value, term.datatype.value)
          : languageLiteral(term.value, term.language),
      );
    default:
      throw new Error(`Unexpected ${term.termType}`);
  }
}

/** A node for people: `ex:bob`, `"Bob"@en`, `"5"^^xsd:integer`, `_:b`. */
export function show(node: NodeObject): string {
  if (node.type === 'uri') return shorten(node.value);
  if (node.type === 'bnode') return `_:${node.value}`;
  if (node.lang !== undefined) return `"${node.value}"@${node.lang}`;
  return node.datatype === undefined ? `"${node.value}"` : `"${node.value}"^^${shorten(node.datatype)}`;
}

function shorten(value: string): string {
  return value
    .replace('http://example.org/', 'ex:')
    .replace('http://xmlns.com/foaf/0.1/', 'foaf:')
    .replace('http://www.w3.org/2001/XMLSchema#', 'xsd:');
}

/** What a path selects from `ex:<start>`. */
export function select(
  graph: IndexedGraph,
  start: string,
  path: string,
  budget: Partial<Budget> = {},
): string[] {
  const evaluator = new Evaluator(budget);
  return evaluator
    .evaluatePath(compilePath(path, { prefixes }), graph, `<http://example.org/${start}>`)
    .map(show);
}

/** What a program gives for `ex:<start>`, and its warnings. */
export function run(
  graph: IndexedGraph,
  start: string,
  program: string,
): { fields: Record<string, string[]>; warnings: readonly EvaluationWarning[] } {
  const evaluator = new Evaluator();
  const values = evaluator.evaluateProgram(
    compileProgram(program, { prefixes }),
    graph,
    `<http://example.org/${start}>`,
  );
  const fields = Object.fromEntries(Array.from(values, ([name, nodes]) => [name, nodes.map(show)]));
  return { fields, warnings: evaluator.warnings };
}

/** The error that a call throws; anything but an LdPathError fails. */
export function errorOf(call: () => unknown): LdPathError {
  try {
    call();
  } catch (error) {
    if (error instanceof LdPathError) return error;
    throw error;
  }
  throw new Error('Nothing was thrown');
}

export const people = graphOf(`
  ex:alice a foaf:Person ; foaf:name "Alice" ; foaf:age 42 ; foaf:nick "Al", "Ali" ; foaf:knows ex:bob, ex:carol .
  ex:bob a foaf:Person ; foaf:name "Bob" ; foaf:age 17 ; foaf:knows ex:carol ;
    rdfs:label "Bob"@en, "Robert"@de, "Bobby" .
  ex:carol a foaf:Group ; foaf:name "Carol" ; foaf:knows ex:alice ; foaf:mbox <mailto:c@example.org> .
`);

export const concepts = graphOf(`
  ex:c1 skos:broader ex:c2 ; skos:prefLabel "One"@en .
  ex:c2 skos:broader ex:c3 ; skos:prefLabel "Two"@en, "Zwei"@de .
  ex:c3 skos:broader ex:c1 ; skos:prefLabel "Three"@en .
  ex:c4 skos:broader ex:c3 ; skos:related ex:c1 .
  ex:c5 skos:prefLabel "Five"@en-GB .
`);
