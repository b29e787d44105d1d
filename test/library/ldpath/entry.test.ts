import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type * as rdfjs from '@rdfjs/types';
import { DataFactory, Parser, Store } from 'n3';
import {
  defaultBudget,
  functions,
  indexGraph,
  LdPath,
  LdPathError,
  type LdPathOptions,
  RdfTermError,
  type Term,
} from '../../../src/library/ldpath/entry.ts';

const { blankNode, defaultGraph, literal, namedNode, quad, variable } = DataFactory;
const RDF = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#';
const prefixes = { ex: 'http://example.org/' };
const ldpath = new LdPath({ prefixes });

function storeOf(turtle: string): Store {
  return new Store(
    new Parser({ blankNodePrefix: '' }).parse(`@prefix ex: <http://example.org/> . ${turtle}`),
  );
}

const store = storeOf(`
  ex:a ex:p ex:b, "x"@en-GB, 5, _:n ; ex:text "1", "no" . ex:b ex:p "y" . _:n ex:p "z" .
  ex:g1 { ex:a ex:q "first" } ex:g2 { ex:a ex:q "second" }`);
const graph = indexGraph(store);
const A = 'http://example.org/a';

describe('pathpool/ldpath', () => {
  it('returns nodes as the HTTP interface does', () => {
    assert.deepEqual(ldpath.path('ex:p').nodes(graph, A), [
      { type: 'uri', value: 'http://example.org/b' },
      { type: 'literal', value: 'x', lang: 'en-gb' },
      { type: 'literal', value: '5', datatype: 'http://www.w3.org/2001/XMLSchema#integer' },
      { type: 'bnode', value: 'n' },
    ]);
  });

  it('returns terms that equal those of the dataset', () => {
    const terms: rdfjs.Term[] = ldpath.path('ex:p').terms(graph, A);
    const objects = store.getObjects(namedNode(A), namedNode('http://example.org/p'), null);
    assert.equal(terms.length, 4);
    assert.ok(terms.every((term) => objects.some((object) => term.equals(object) && object.equals(term))));
    assert.ok(!terms[0]!.equals(objects[1]) && !terms[0]!.equals(null));
  });

  it('starts from IRIs, labels and terms, known or not', () => {
    const path = ldpath.path('. | ex:p');
    assert.deepEqual(path.nodes(graph, '_:n').map(textOf), ['n', 'z']);
    assert.deepEqual(path.nodes(graph, blankNode('n')).map(textOf), ['n', 'z']);
    assert.deepEqual(path.nodes(graph, literal('"')).map(textOf), ['"']);
    assert.deepEqual(path.nodes(graph, 'urn:x:nobody').map(textOf), ['urn:x:nobody']);
  });

  it('evaluates programs, with what was skipped, @filter and @boost', () => {
    const program = ldpath.program('@filter ex:none ; @boost ex:p ; n = ex:text :: xsd:integer ;');
    const [one] = program.terms(graph, A)['n']!;
    assert.equal((one as Extract<Term, { termType: 'Literal' }>).datatype.value.split('#')[1], 'integer');
    const { result, skipped, filter, boost } = program.details(graph, A);
    assert.deepEqual([result['n']!.map(textOf), filter, boost], [['1'], false, 5]);
    assert.deepEqual(
      skipped.map(({ field }) => field),
      ['n'],
    );
  });

  it('reads the union of all graphs, and those that @graph names', () => {
    assert.deepEqual(ldpath.path('ex:q').nodes(graph, A).map(textOf), ['first', 'second']);
    const program = ldpath.program('@graph ex:g2 ; q = ex:q ; p = ex:p ;');
    assert.deepEqual(program.nodes(graph, A), { q: [{ type: 'literal', value: 'second' }], p: [] });
  });

  it('keeps triple terms and directions', () => {
    const triple = quad(namedNode('urn:x:s'), namedNode('urn:x:p'), literal('"o" o', 'EN'));
    const datatype = namedNode(`${RDF}dirLangString`);
    const text = { termType: 'Literal', value: 'x', language: 'ar', direction: 'rtl', datatype };
    const [p, g] = [namedNode('http://example.org/p'), defaultGraph()];
    const quads = [triple, text].map((object) => ({ subject: namedNode(A), predicate: p, object, graph: g }));
    const [first, second] = ldpath.path('ex:p').terms(indexGraph(quads), A);
    assert.ok(first?.equals(quad(triple.subject, triple.predicate, literal('"o" o', 'en'))));
    assert.equal(second?.termType === 'Literal' && second.direction, 'rtl');
    assert.ok(second?.equals(text));
  });

  it('rejects terms that are not RDF', () => {
    const number = { termType: 'Literal', value: 5 as unknown as string };
    const names = [variable('v'), namedNode('urn:x:a b'), namedNode('')];
    for (const object of [...names, literal('x', 'not a tag'), number]) {
      const bad = { subject: namedNode(A), predicate: namedNode(A), object, graph: defaultGraph() };
      assert.throws(() => indexGraph([bad]), RdfTermError);
    }
    assert.throws(() => ldpath.path('.').nodes(graph, 'a"b'), RdfTermError);
  });

  it('says where a text is wrong', () => {
    assert.throws(
      () => ldpath.program('a = ex:p ;\nb = nope:p ;'),
      (error) => error instanceof LdPathError && error.code === 'unknown-prefix' && error.details.line === 2,
    );
  });

  it('ends evaluations beyond their budget', () => {
    const small = new LdPath({ prefixes, budget: { steps: 2 } });
    const path = small.path('ex:p / ex:p | ex:p / ex:p');
    assert.throws(() => path.nodes(graph, A), { name: 'LdPathError', code: 'budget-exceeded' });
    assert.deepEqual(small.path('ex:q').nodes(graph, 'http://example.org/b'), []);
  });

  it('has the default of a limit that is undefined', () => {
    const open = new LdPath({ prefixes, budget: { steps: undefined, terms: 1_000 } });
    assert.deepEqual(open.path('ex:p').nodes(graph, A), ldpath.path('ex:p').nodes(graph, A));
    const { prefixes: given, budget }: LdPathOptions = { prefixes: undefined, budget: undefined };
    assert.deepEqual(new LdPath({ prefixes: given, budget }).path('.').warnings, []);
  });

  it('rejects options that are wrong', () => {
    assert.throws(() => new LdPath({ prefixes: { ex: 'not absolute' } }), RangeError);
    assert.throws(() => new LdPath({ budget: { steps: -1 } }), RangeError);
    assert.throws(
      () => new LdPath({ budget: { step: 1 } as object }),
      /There is no budget "step", only steps/,
    );
    assert.throws(() => new LdPath({ budget: { toString: 1 } as object }), RangeError);
    assert.equal(defaultBudget.steps, 10_000_000);
  });

  it('parses to syntax trees, and warns of what is probably not intended', () => {
    assert.equal(ldpath.parsePath('ex:p / ex:q').kind, 'path');
    const program = ldpath.parseProgram('@prefix x: <urn:x:> ; a = x:p ;');
    assert.deepEqual([[...program.prefixes], program.fields[0]!.name], [[['x', 'urn:x:']], 'a']);
    assert.equal(ldpath.program('a = ex:p ; a = ex:q ;').warnings.length, 1);
  });

  it('lists the functions', () => {
    assert.ok(
      functions.some(({ name, signature }) => name === 'concat' && signature.startsWith('fn:concat(')),
    );
  });
});

function textOf({ value }: { readonly value: string }): string {
  return value;
}
