import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { serializeRdf } from '../../../../src/rdf/formats/serialize-quads.ts';
import { MAX_DEPTH } from '../../../../src/rdf/formats/structure/nested-nodes.ts';
import { MAX_NESTED_QUADS } from '../../../../src/rdf/formats/structure/serialize-groups.ts';
import { blockCursor } from '../block-cursor.ts';
import { parse, quads, write } from '../documents.ts';
import { isomorphic } from '../isomorphic.ts';

const TURTLE = 'text/turtle';
const NQ = 'application/n-quads';

const turtleOf = (text: string) => write(parse(text, TURTLE), TURTLE);

describe('Turtle', () => {
  it('G-48: nests blank nodes that are the object of one triple', () => {
    const text = `<urn:s> <urn:p> [
        <urn:q> 1, 2 ;
        <urn:r> [ <urn:t> "x" ]
    ], [ a <urn:T> ] ;
    <urn:o> "y" .
`;
    assert.equal(turtleOf(text), text);
  });

  it('G-48: writes lists in brackets, also in lists and nodes', () => {
    const text = `<urn:s> <urn:p> ( 1 ( "a" () ) [ <urn:q> ( <urn:x> ) ] ), () .\n`;
    assert.equal(turtleOf(text), text);
  });

  for (const [what, lines] of [
    ['is the object of two triples', '<urn:s> <urn:p> _:b . <urn:t> <urn:p> _:b . _:b <urn:q> 1 .'],
    ['is the object of none', '_:b <urn:q> 1 .'],
    ['leads to itself', '_:b <urn:q> _:b .'],
    ['is in a circle', '_:b <urn:q> _:c . _:c <urn:q> _:b .'],
    ['has no triples', '<urn:s> <urn:p> _:b .'],
  ] as const) {
    it(`keeps the label of a blank node that ${what}`, () => {
      const text = turtleOf(lines);
      assert.doesNotMatch(text, /\[/);
      assert.ok(isomorphic(quads(text, TURTLE), quads(lines, TURTLE)), text);
    });
  }

  const list = (more: string) =>
    `@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
     <urn:s> <urn:p> _:a . _:a rdf:first 1 ; rdf:rest _:b . _:b rdf:first 2 ; rdf:rest rdf:nil . ${more}`;

  for (const [what, more] of [
    ['a second item', '_:b rdf:first 3 .'],
    ['a second rest', '_:b rdf:rest _:c .'],
    ['another property', '_:b <urn:q> 3 .'],
    ['the type of a list', '_:b a rdf:List .'],
  ] as const) {
    it(`writes no list from a node with ${what}`, () => {
      const text = turtleOf(list(more));
      assert.doesNotMatch(text, /\( /);
      assert.ok(isomorphic(quads(text, TURTLE), quads(list(more), TURTLE)), text);
    });
  }

  it('writes the rest of a list as a list if a node before it is shared', () => {
    const text = turtleOf(list('<urn:t> <urn:p> _:a .'));
    assert.match(text, /rdf:rest \( 2 \)/);
  });

  it('keeps the label of a blank node that is in two graphs, or is the name of one', () => {
    for (const line of [
      '_:b <urn:q> 2 <urn:h> .',
      '<urn:t> <urn:q> _:b <urn:h> .',
      '<urn:t> <urn:q> 3 _:b .',
    ]) {
      const lines = `<urn:s> <urn:p> _:b <urn:g> .\n_:b <urn:q> "1" <urn:g> .\n${line.replace(/ (\d) /, ' "$1" ')}\n`;
      assert.doesNotMatch(write(parse(lines, NQ), 'application/trig'), /\[/, line);
    }
  });

  it('keeps a label where nodes and lists are nested too deeply', () => {
    const depth = 2 * MAX_DEPTH + 3;
    const text = turtleOf(`<urn:s> <urn:p> ${'[ <urn:p> ('.repeat(depth)}1${') ]'.repeat(depth)} .`);
    assert.equal(text.match(/_:/g)?.length, 2 * Math.floor((2 * depth) / (MAX_DEPTH + 1)));
    const lists = turtleOf(`<urn:s> <urn:p> ( ${Array.from({ length: 1000 }, (_, i) => i).join(' ')} ) .`);
    assert.doesNotMatch(lists, /_:/);
  });

  it('is produced in chunks within a long list, too', () => {
    const items = Array.from({ length: 3000 }, (_, i) => `"${'x'.repeat(100)}${i}"`);
    const block = parse(`<urn:s> <urn:p> ( ${items.join(' ')} ) .`, TURTLE);
    for (const mediaType of [TURTLE, 'application/ld+json']) {
      const chunks = [...serializeRdf(blockCursor(block), { mediaType })];
      assert.ok(chunks.length > 3, mediaType);
      assert.equal(quads(Buffer.concat(chunks), mediaType).length, 6001);
    }
  });

  it('keeps all labels in a document with too many triples', () => {
    const lines = (count: number) =>
      ['<urn:s> <urn:p> _:b .', ...Array.from({ length: count - 1 }, (_, i) => `_:b <urn:q> "${i}" .`)].join(
        '\n',
      );
    const written = (count: number) => write(parse(`${lines(count)}\n`, NQ), TURTLE);
    assert.match(written(MAX_NESTED_QUADS - 1), /\[/);
    assert.doesNotMatch(written(MAX_NESTED_QUADS), /\[/);
    assert.equal(quads(written(MAX_NESTED_QUADS), TURTLE).length, MAX_NESTED_QUADS);
  });
});
