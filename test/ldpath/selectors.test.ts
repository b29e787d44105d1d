import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { concepts, graphOf, people, select } from './support.ts';

/** Rows of start, path and the expected nodes in order (ldpath 7, 8.2). */
function check(graph: typeof people, rows: readonly (readonly [string, string, readonly string[]])[]): void {
  for (const [start, path, expected] of rows) assert.deepEqual(select(graph, start, path), expected, path);
}

describe('selectors', () => {
  it('follow properties forwards and backwards, and any property', () => {
    check(people, [
      ['alice', '.', ['ex:alice']],
      ['alice', 'foaf:knows', ['ex:bob', 'ex:carol']],
      ['alice', 'foaf:missing', []],
      ['carol', '^foaf:knows', ['ex:alice', 'ex:bob']],
      ['carol', '*', ['ex:alice', 'foaf:Group', '"Carol"', 'mailto:c@example.org']],
      ['alice', '^*', ['ex:carol']],
      ['nobody', '.', ['ex:nobody']],
    ]);
  });

  it('follow paths and return each result once, in order of discovery', () => {
    check(people, [
      ['alice', 'foaf:knows/foaf:name', ['"Bob"', '"Carol"']],
      ['alice', 'foaf:knows/foaf:knows', ['ex:carol', 'ex:alice']],
      ['alice', 'foaf:knows/"x"', ['"x"']],
      ['alice', 'foaf:missing/"x"', []],
      ['alice', 'foaf:name/^foaf:name', []],
      ['alice', 'foaf:knows/ *[. is "Carol"]', ['"Carol"']],
    ]);
  });

  it('unite and intersect, with operators that associate to the right', () => {
    check(people, [
      ['alice', 'foaf:nick | foaf:name', ['"Al"', '"Ali"', '"Alice"']],
      ['alice', 'foaf:knows | foaf:knows/foaf:knows', ['ex:bob', 'ex:carol', 'ex:alice']],
      ['alice', 'foaf:knows & foaf:knows/foaf:knows', ['ex:carol']],
      ['alice', 'foaf:nick & foaf:name | foaf:knows', []],
      ['alice', '(foaf:nick & foaf:name) | foaf:knows', ['ex:bob', 'ex:carol']],
    ]);
  });

  it('return each result of a union or an intersection once, whichever operand repeats it', () => {
    const one = '"1"^^xsd:integer';
    const repeated = 'fn:count(foaf:name, foaf:age)';
    check(people, [
      ['alice', repeated, [one, one]],
      ['alice', `${repeated} & 1`, [one]],
      ['alice', `1 & ${repeated}`, [one]],
      ['alice', `${repeated} | 1`, [one]],
      ['alice', `1 | ${repeated}`, [one]],
    ]);
  });

  it('return constants in every form of Turtle', () => {
    check(people, [
      ['alice', '"a\\d"', ['"a\\d"']],
      ['alice', "'a\\tb'", ['"a\tb"']],
      ['alice', "'''it's\nlong'''", ['"it\'s\nlong"']],
      ['alice', '"x"@en-GB', ['"x"@en-GB']],
      ['alice', '"5"^^xsd:byte', ['"5"^^xsd:byte']],
      ['alice', '17', ['"17"^^xsd:integer']],
      ['alice', '-2.5', ['"-2.5"^^xsd:decimal']],
      ['alice', '1e3 | 1e+3', ['"1e3"^^xsd:double', '"1e+3"^^xsd:double']],
      ['alice', 'true', ['"true"^^xsd:boolean']],
    ]);
  });

  it('repeat steps depth first and visit each node once', () => {
    check(concepts, [
      ['c4', '(skos:broader)+', ['ex:c3', 'ex:c1', 'ex:c2']],
      ['c4', 'skos:broader*', ['ex:c4', 'ex:c3', 'ex:c1', 'ex:c2']],
      ['c1', 'skos:broader+', ['ex:c2', 'ex:c3', 'ex:c1']],
      ['c5', 'skos:broader*', ['ex:c5']],
      ['c5', 'skos:broader+', []],
      ['c5', 'skos:prefLabel/(skos:broader)*', ['"Five"@en-gb']],
    ]);
  });

  it('visit a node before its successors and its successors before its next sibling', () => {
    const tree = graphOf('ex:r ex:p ex:a, ex:b . ex:a ex:p ex:a1, ex:b . ex:b ex:p ex:b1 .');
    assert.deepEqual(select(tree, 'r', 'ex:p+'), ['ex:a', 'ex:b', 'ex:b1', 'ex:a1']);
  });

  it('repeat bounded steps level by level', () => {
    check(concepts, [
      ['c4', 'skos:broader?', ['ex:c4', 'ex:c3']],
      ['c4', 'skos:broader{2}', ['ex:c1']],
      ['c4', 'skos:broader{1,2}', ['ex:c3', 'ex:c1']],
      ['c4', 'skos:broader{,1}', ['ex:c4', 'ex:c3']],
      ['c4', 'skos:broader{2,}', ['ex:c1', 'ex:c2', 'ex:c3']],
      ['c4', 'skos:broader{0}', ['ex:c4']],
    ]);
    const twoWays = graphOf('ex:a ex:p ex:b, ex:x . ex:x ex:p ex:y . ex:y ex:p ex:b . ex:b ex:p ex:c .');
    assert.deepEqual(select(twoWays, 'a', 'ex:p{4}'), ['ex:c']);
  });

  it('invert whole selectors, and then start from literals too', () => {
    check(people, [
      ['alice', 'foaf:knows/foaf:name/^(foaf:knows/foaf:name)', ['ex:alice', 'ex:bob']],
      ['alice', 'foaf:name/^(foaf:name)', ['ex:alice']],
      ['alice', '^(^foaf:knows)', ['ex:bob', 'ex:carol']],
      ['carol', '^(foaf:knows+)', ['ex:alice', 'ex:carol', 'ex:bob']],
      ['carol', '^(foaf:knows | foaf:nothing)', ['ex:alice', 'ex:bob']],
    ]);
  });

  it('exclude properties', () => {
    check(people, [
      ['carol', '*!(rdf:type | foaf:knows)', ['"Carol"', 'mailto:c@example.org']],
      ['carol', '!(rdf:type | foaf:knows)', ['"Carol"', 'mailto:c@example.org']],
      ['bob', '!rdf:type/foaf:name', ['"Carol"']],
      ['carol', '^*!(foaf:knows)', []],
      ['carol', '^*!(foaf:name)', ['ex:alice', 'ex:bob']],
    ]);
  });

  it('include declared sub-properties', () => {
    const graph = graphOf(`
      ex:nick rdfs:subPropertyOf ex:label . ex:pet rdfs:subPropertyOf ex:nick . ex:label rdfs:subPropertyOf ex:label .
      ex:a ex:label "l" ; ex:nick "n" ; ex:pet "p" ; ex:other "o" .
    `);
    assert.deepEqual(select(graph, 'a', '~ex:label'), ['"l"', '"n"', '"p"']);
    assert.deepEqual(select(graph, 'a', 'ex:label/^(~ex:nick)'), []);
    assert.deepEqual(select(graph, 'a', 'ex:pet/^(~ex:label)'), ['ex:a']);
  });

  it('remove duplicates from long lists as from short ones', () => {
    const triples = Array.from(
      { length: 200 },
      (_, i) => `ex:a ex:p ex:n${i} . ex:n${i} ex:q ex:m${i % 50} .`,
    );
    const graph = graphOf(triples.join('\n'));
    assert.equal(select(graph, 'a', 'ex:p/ex:q').length, 50);
    assert.equal(select(graph, 'a', 'ex:p/(ex:q | .)').length, 250);
  });
});
