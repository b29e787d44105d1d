import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { IndexedGraph } from '../../src/ldpath/evaluate/indexed-graph.ts';
import { concepts, graphOf, people, select } from './support.ts';

function check(graph: typeof people, rows: readonly (readonly [string, string, readonly string[]])[]): void {
  for (const [start, path, expected] of rows) assert.deepEqual(select(graph, start, path), expected, path);
}

describe('tests', () => {
  it('accept a node from which a path has results, and never a literal', () => {
    check(people, [
      ['alice', 'foaf:knows[foaf:mbox]', ['ex:carol']],
      ['alice', 'foaf:nick[.]', []],
      ['alice', 'foaf:nick[!foaf:age]', ['"Al"', '"Ali"']],
      ['alice', 'foaf:knows["anything"]', ['ex:bob', 'ex:carol']],
    ]);
  });

  it('compare terms including datatype and language', () => {
    check(people, [
      ['alice', 'foaf:knows[foaf:name is "Bob"]', ['ex:bob']],
      ['alice', 'foaf:knows[foaf:age is "17"]', []],
      ['alice', 'foaf:knows[foaf:age is 17]', ['ex:bob']],
      ['alice', 'foaf:knows[foaf:age is "17"^^xsd:integer]', ['ex:bob']],
      ['alice', 'foaf:knows[^foaf:knows is ex:bob]', ['ex:carol']],
      ['alice', 'foaf:nick[. is "Al"]', ['"Al"']],
      ['bob', '.[rdfs:label is "Bob"@en]', ['ex:bob']],
      ['alice', 'foaf:knows[is-a foaf:Person]', ['ex:bob']],
      ['alice', 'foaf:knows[fn:concat(foaf:name, "!") is "Bob!"]', ['ex:bob']],
    ]);
  });

  it('check languages and datatypes', () => {
    check(people, [
      ['bob', 'rdfs:label[@en]', ['"Bob"@en']],
      ['bob', 'rdfs:label[@DE]', ['"Robert"@de']],
      ['bob', 'rdfs:label[@none]', ['"Bobby"']],
      ['bob', 'rdfs:label[!@en]', ['"Robert"@de', '"Bobby"']],
      ['bob', 'rdfs:label[^^xsd:string]', ['"Bobby"']],
      ['bob', 'rdfs:label[^^rdf:langString]', ['"Bob"@en', '"Robert"@de']],
      ['alice', '*[^^xsd:integer]', ['"42"^^xsd:integer']],
      ['alice', 'fn:concat("a")[@none]', ['"a"']],
    ]);
    check(concepts, [
      ['c5', 'skos:prefLabel[@en]', []],
      ['c5', 'skos:prefLabel[@en*]', ['"Five"@en-gb']],
      ['c1', 'skos:prefLabel[@e*]', []],
    ]);
  });

  it('ignore the case of languages, whose spelling results keep', () => {
    const ex = (name: string) => `<http://example.org/${name}>`;
    const graph = IndexedGraph.of([
      { subject: ex('a'), predicate: ex('p'), object: '"Five"@en-GB' },
      { subject: ex('b'), predicate: ex('p'), object: '"Five"@EN-gb' },
    ]);
    check(graph, [
      ['a', 'ex:p[@en-gb]', ['"Five"@en-GB']],
      ['a', 'ex:p[@EN*]', ['"Five"@en-GB']],
      ['b', 'ex:p[. is "Five"@en-gb]', ['"Five"@en-GB']],
      ['a', 'ex:p | "Five"@EN-GB | "Six"@En | "Six"@eN', ['"Five"@en-GB', '"Six"@En']],
      ['a', 'fn:lang(ex:p)', ['"en-GB"']],
    ]);
  });

  it('distinguish a datatype from a text that looks like one', () => {
    const graph = graphOf(
      `ex:a ex:p "x\\"^^<http://example.org/t>", "x"^^ex:t, "\\"@en", "é"^^<http://example.org/é> .`,
    );
    check(graph, [
      ['a', 'ex:p[^^ex:t]', ['"x"^^ex:t']],
      ['a', 'ex:p[@en]', []],
      ['a', 'ex:p[^^<http://example.org/é>]', ['"é"^^ex:é']],
    ]);
  });

  it('combine with equal precedence to the right; "!" applies to all that follows', () => {
    check(people, [
      ['alice', 'foaf:knows[!foaf:age & foaf:mbox]', ['ex:bob', 'ex:carol']],
      ['alice', 'foaf:knows[foaf:mbox & !foaf:age]', ['ex:carol']],
      ['alice', 'foaf:knows[!(foaf:age) & foaf:mbox]', ['ex:carol']],
      ['alice', 'foaf:knows[foaf:nick | foaf:name is "Bob"]', ['ex:bob']],
      ['alice', 'foaf:knows[foaf:name is "Bob" | foaf:name is "Carol"]', ['ex:bob', 'ex:carol']],
      ['alice', 'foaf:knows[foaf:name is "Bob" & foaf:age | foaf:mbox]', ['ex:bob']],
      ['alice', 'foaf:knows[foaf:mbox][is-a foaf:Group]', ['ex:carol']],
    ]);
  });

  it('may start with a parenthesis of a test, a group or a repetition', () => {
    check(people, [
      ['alice', 'foaf:knows[(foaf:age) & foaf:name]', ['ex:bob']],
      ['alice', 'foaf:knows[((foaf:name) & foaf:age)]', ['ex:bob']],
      ['alice', 'foaf:knows[(foaf:knows)+ is ex:alice]', ['ex:bob', 'ex:carol']],
      ['alice', 'foaf:knows[(foaf:knows | foaf:nick)/foaf:nick]', ['ex:carol']],
      ['alice', 'foaf:knows[!(foaf:age)/foaf:name]', ['ex:bob', 'ex:carol']],
    ]);
  });

  it('call selector functions and test functions', () => {
    check(people, [
      ['alice', 'foaf:knows[fn:first(foaf:mbox)]', ['ex:carol']],
      ['alice', 'foaf:knows[fn:first(foaf:knows)/foaf:mbox]', ['ex:bob']],
      ['alice', 'foaf:knows[fn:eq(foaf:age,"17") & foaf:name is "Bob"]', ['ex:bob']],
      ['alice', 'foaf:knows[fn:count(foaf:knows) is 1]', ['ex:bob', 'ex:carol']],
    ]);
  });
});
