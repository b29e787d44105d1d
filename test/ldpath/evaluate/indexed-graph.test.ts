import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { IndexedGraph, type TextQuad } from '../../../src/ldpath/evaluate/indexed-graph.ts';
import type { TermId } from '../../../src/rdf/model/term-id.ts';

const quad = (subject: string, predicate: string, object: string, graph?: string): TextQuad =>
  graph === undefined ? { subject, predicate, object } : { subject, predicate, object, graph };

const graph = IndexedGraph.of([
  quad('<a>', '<p>', '<c>', '<g1>'),
  quad('<a>', '<p>', '<b>', '<g1>'),
  quad('<a>', '<q>', '<b>', '<g2>'),
  quad('<a>', '<p>', '<c>', '<g2>'),
  quad('<b>', '<p>', '"größe"', '<g2>'),
]);

function texts(fill: (into: TermId[]) => void): string[] {
  const into: TermId[] = [];
  fill(into);
  return into.map((id) => graph.text(id));
}

describe('IndexedGraph', () => {
  it('numbers terms by first mention', () => {
    assert.deepEqual(
      ['<a>', '<p>', '<c>', '<g1>', '<b>'].map((text) => graph.find(text)),
      [1, 2, 3, 4, 5],
    );
    assert.equal(graph.find('<unknown>'), 0);
  });

  it('gives neighbours as a set, ascending by id', () => {
    const [a, p, c] = [graph.find('<a>'), graph.find('<p>'), graph.find('<c>')];
    assert.deepEqual(
      texts((into) => graph.objects(a, p, into)),
      ['<c>', '<b>'],
    );
    assert.deepEqual(
      texts((into) => graph.allObjects(a, into)),
      ['<c>', '<b>'],
    );
    assert.deepEqual(
      texts((into) => graph.subjects(p, c, into)),
      ['<a>'],
    );
    assert.deepEqual(
      texts((into) => graph.allSubjects(graph.find('<b>'), into)),
      ['<a>'],
    );
    assert.deepEqual(
      texts((into) => graph.predicates(a, into)),
      ['<p>', '<q>'],
    );
  });

  it('finds nothing for 0 and for negative ids', () => {
    for (const id of [0, -1]) {
      assert.deepEqual(
        texts((into) => graph.objects(id, 2, into)),
        [],
      );
      assert.deepEqual(
        texts((into) => graph.allSubjects(id, into)),
        [],
      );
      assert.equal(graph.has(id, 2, 3), false);
      assert.equal(graph.mentions(id), false);
    }
  });

  it('mentions subjects, predicates and objects but not graph names', () => {
    assert.deepEqual(
      ['<a>', '<p>', '<c>', '<g1>'].map((text) => graph.mentions(graph.find(text))),
      [true, true, true, false],
    );
  });

  it('sees only the named graphs within a restriction', () => {
    const view = graph.within([graph.find('<g2>'), 0]);
    const [a, p, q, b, c] = ['<a>', '<p>', '<q>', '<b>', '<c>'].map((text) => graph.find(text));
    assert.equal(view.has(a!, p!, c!), true);
    assert.equal(view.has(a!, p!, b!), false);
    assert.equal(view.has(a!, q!, b!), true);
  });

  it('exposes the canonical bytes of each term', () => {
    const id = graph.find('"größe"');
    const { terms } = graph;
    assert.equal(new TextDecoder().decode(terms.bytes.subarray(terms.start(id), terms.end(id))), '"größe"');
  });
});
