import assert from 'node:assert/strict';
import { describe, it, mock } from 'node:test';
import { graphOf } from '../support.ts';
import { edgesOf, traced } from './traced.ts';

const people = graphOf(`
  ex:anna a foaf:Person ; foaf:knows ex:ben, ex:cleo ; foaf:name "Anna" .
  ex:ben foaf:knows ex:cleo ; foaf:name "Ben" ; foaf:age 30 .
  ex:cleo foaf:knows ex:dora ; foaf:name "Cleo" .
  ex:bestFriend rdfs:subPropertyOf foaf:knows .
  ex:anna ex:bestFriend ex:ben ; ex:list (ex:x ex:y) .
`);
const anna = '<http://example.org/anna>';

const edges = (program: string, start = anna) => edgesOf(traced(people, start, program).trace);

describe('a trace', () => {
  it('has the triples that each step has read, in the direction of the step', () => {
    assert.deepEqual(edges('name = foaf:knows / foaf:name ;'), [
      'anna -knows-> ben',
      'anna -knows-> cleo',
      'ben -name-> "Ben"',
      'cleo -name-> "Cleo"',
    ]);
    assert.deepEqual(edges('known = ^foaf:knows ;', '<http://example.org/ben>'), ['ben -^knows-> anna']);
    assert.deepEqual(edges('known = ^(foaf:knows / foaf:knows) ;', '<http://example.org/dora>'), [
      'dora -^knows-> cleo',
      'cleo -^knows-> anna',
      'cleo -^knows-> ben',
    ]);
  });

  it('begins with the start resource, even if it is in no triple', () => {
    const { trace } = traced(people, '<http://example.org/nobody>', 'a = foaf:name ; b = . ;');
    assert.deepEqual(trace.nodes, [{ type: 'uri', value: 'http://example.org/nobody' }]);
    assert.deepEqual(trace.fields, [
      { name: 'a', nodes: [], values: [] },
      { name: 'b', nodes: [0], values: [] },
    ]);
    const filtered = traced(people, anna, '@filter foaf:name ;').trace;
    assert.deepEqual(filtered.nodes[0], { type: 'uri', value: 'http://example.org/anna' });
  });

  it('names the place of each step in the program, and only places that read something', () => {
    const program = 'é = foaf:knows / foaf:nick ;\nname = foaf:name ;';
    const { places, edges } = traced(people, anna, program).trace;
    assert.deepEqual(places, [
      { field: 'é', test: false, line: 1, column: 5, offset: 4, length: 10 },
      { field: 'name', test: false, line: 2, column: 8, offset: 36, length: 9 },
    ]);
    assert.deepEqual(
      edges.map(({ field, step }) => [field, step]),
      [
        ['é', 0],
        ['é', 0],
        ['name', 1],
      ],
    );
  });

  it('marks the edges on ways to results, by the order of the steps', () => {
    // `cleo` is a result, but the step from `anna` to her is only the first of two.
    assert.deepEqual(edges('friends = foaf:knows / foaf:knows[foaf:age | foaf:knows] ;'), [
      'anna -knows-> ben',
      'anna -knows-> cleo ?',
      'ben -knows-> cleo',
      'cleo -knows-> dora ?',
      'cleo -knows-> dora ?',
    ]);
  });

  it('has the triples of tests, as such', () => {
    const { trace } = traced(people, anna, 'a = foaf:knows[foaf:age is 30] ; b = .[is-a foaf:Person] ;');
    assert.deepEqual(edgesOf(trace), [
      'anna -knows-> ben',
      'anna -knows-> cleo ?',
      'ben -age-> "30"^^xsd:integer ?',
      'anna -type-> foaf:Person ?',
    ]);
    assert.deepEqual(
      trace.edges.map(({ step }) => trace.places[step]!.test),
      [false, false, true, true],
    );
  });

  it('has edges of @filter and @boost', () => {
    const { trace } = traced(people, anna, '@filter foaf:name ; @boost foaf:knows / foaf:age ; a = . ;');
    assert.deepEqual(edgesOf(trace, '@filter'), ['anna -name-> "Anna" ?']);
    assert.deepEqual(edgesOf(trace, '@boost'), [
      'anna -knows-> ben',
      'anna -knows-> cleo ?',
      'ben -age-> "30"^^xsd:integer',
    ]);
    assert.deepEqual(
      trace.fields.map(({ name }) => name),
      ['a', '@boost'],
    );
  });

  it('has the predicates that wildcards and sub-properties have found', () => {
    assert.deepEqual(edges('a = ~foaf:knows ;'), [
      'anna -knows-> ben',
      'anna -knows-> cleo',
      'anna -bestFriend-> ben',
    ]);
    assert.deepEqual(edges('a = ^* ;', '<http://example.org/ben>'), [
      'ben -^knows-> anna',
      'ben -^bestFriend-> anna',
    ]);
    assert.deepEqual(edges('a = ^*!(foaf:knows) ;', '<http://example.org/ben>'), ['ben -^bestFriend-> anna']);
    assert.deepEqual(edges('a = *!(foaf:knows) ;', '<http://example.org/ben>'), [
      'ben -name-> "Ben"',
      'ben -age-> "30"^^xsd:integer',
    ]);
  });

  it('has what functions make as values without edges, and the ways to their arguments as used', () => {
    const { trace } = traced(people, anna, 'a = fn:concat(foaf:knows / foaf:name, "!") ; b = "x" ;');
    assert.deepEqual(edgesOf(trace), [
      'anna -knows-> ben',
      'anna -knows-> cleo',
      'ben -name-> "Ben"',
      'cleo -name-> "Cleo"',
    ]);
    assert.deepEqual(trace.fields, [
      { name: 'a', nodes: [], values: [{ type: 'literal', value: 'BenCleo!' }] },
      { name: 'b', nodes: [], values: [{ type: 'literal', value: 'x' }] },
    ]);
  });

  it('has each triple once for a place', () => {
    const all = edges('a = foaf:knows+ ;');
    assert.deepEqual([...new Set(all)].sort(), [...all].sort());
    assert.equal(all.length, 4);
  });
});

describe('the limits of a trace', () => {
  const wide = graphOf(Array.from({ length: 50 }, (_, i) => `ex:anna ex:p ex:n${i} .`).join('\n'));
  const program = 'a = ex:p ; b = fn:concat(ex:p, "x") ;';

  it('leave out edges and nodes, and say so', () => {
    const few = traced(wide, anna, 'a = ex:p ;', { nodes: 10, edges: 1000 }).trace;
    assert.deepEqual([few.truncated, few.nodes.length, few.edges.length], [true, 10, 9]);
    const fewer = traced(wide, anna, program, { nodes: 1000, edges: 9 }).trace;
    assert.equal(fewer.truncated, true);
    assert.ok(fewer.edges.length <= 9);
    assert.equal(traced(wide, anna, program).trace.truncated, false);
  });

  it('leave something for the steps that come last', () => {
    const people = Array.from({ length: 50 }, (_, i) => `ex:anna ex:p ex:n${i} . ex:n${i} ex:q "${i}" .`);
    const graph = graphOf(people.join('\n'));
    const { trace } = traced(graph, anna, 'a = ex:p / ex:q ;', { nodes: 21, edges: 40 });
    assert.deepEqual(
      trace.edges.map(({ step, used }) => (used ? step : 'unused')),
      [...Array(5).fill(0), ...Array(10).fill('unused'), ...Array(5).fill(1)],
    );
    assert.equal(trace.nodes.length, 21);
    const known = new Set([0, ...trace.edges.map(({ to }) => to)]);
    assert.ok(trace.edges.every(({ from }) => known.has(from)));
  });

  it('leave something for the lists of later fields', () => {
    const { fields, truncated } = traced(wide, anna, program, { nodes: 1000, edges: 60 }).trace;
    assert.equal(truncated, true);
    assert.equal(fields[0]!.nodes.length + fields[0]!.values.length, 30);
    assert.equal(fields[1]!.values.length, 1);
  });

  it('do not change the result', () => {
    const whole = traced(wide, anna, program);
    assert.equal(traced(wide, anna, program, { nodes: 2, edges: 2 }).output, whole.output);
  });

  it('cut long literals, but not within a character', () => {
    const long = graphOf(`ex:anna ex:p "${'x'.repeat(255)}\u{1F600}${'y'.repeat(100)}" .`);
    const { trace } = traced(long, anna, 'a = ex:p ; b = fn:concat(ex:p, "z") ;');
    const cut = { type: 'literal', value: 'x'.repeat(255), cut: true };
    assert.deepEqual(trace.nodes[1], cut);
    assert.deepEqual(trace.fields[1]!.values, [cut]);
  });

  it('hold for all texts together', () => {
    const triples = Array.from(
      { length: 300 },
      (_, i) => `ex:anna ex:p <http://e/${i}${'x'.repeat(8000)}> .`,
    );
    const { trace } = traced(graphOf(triples.join('\n')), anna, 'a = ex:p ;');
    assert.equal(trace.truncated, true);
    assert.ok(JSON.stringify(trace).length < 2 * 1024 * 1024);
  });

  it('hold for datatypes and language tags too', () => {
    const long = 'x'.repeat(8000);
    const literals = (end: (i: number) => string) =>
      graphOf(Array.from({ length: 300 }, (_, i) => `ex:anna ex:p "${i}"${end(i)} .`).join('\n'));
    for (const graph of [
      literals((i) => `^^<http://e/${i}${long}>`),
      literals((i) => `@en${'-abcdefgh'.repeat(900)}-x${i}`),
    ]) {
      for (const program of ['a = ex:p ;', 'a = fn:concat(ex:p, "x") ; b = ex:p ;']) {
        const { trace } = traced(graph, anna, program);
        assert.equal(trace.truncated, true);
        assert.ok(JSON.stringify(trace).length < 2 * 1024 * 1024);
      }
    }
  });

  it('end the edges of a step at a text for which there is no room, and those of no other one', () => {
    const graph = graphOf(`ex:anna ex:p <http://e/${'x'.repeat(2 ** 20)}>, ex:ben ; ex:q ex:cleo .`);
    const { trace } = traced(graph, anna, 'a = ex:p ; b = ex:q ;');
    assert.deepEqual([trace.truncated, edgesOf(trace)], [true, ['anna -q-> cleo']]);
  });

  it('spare the search for predicates of nodes for which there is no room', () => {
    const links = Array.from({ length: 500 }, (_, i) => `ex:n${i} ex:p ex:anna ; ex:q ex:anna .`);
    const graph = graphOf(links.join('\n'));
    const searches = mock.method(graph, 'predicates');
    const { trace } = traced(graph, anna, 'a = ^* ;', { nodes: 10, edges: 1000 });
    assert.deepEqual([trace.truncated, trace.edges.length], [true, 18]);
    assert.ok(searches.mock.callCount() < 20, `${searches.mock.callCount()} searches`);
  });

  it('hold for programs with very many steps', () => {
    const steps = Array.from({ length: 250 }, (_, i) => `ex:p${i}`).join(' | ');
    const { trace } = traced(wide, anna, `a = (${steps} | ex:p)+ ;`);
    assert.equal(trace.edges.length, 50);
    assert.ok(trace.edges.every(({ used }) => used));
  });
});
