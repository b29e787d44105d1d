import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { QuadCursor } from '../../../src/rdf/model/quad-cursor.ts';
import { iriPatterns } from '../../../src/rdf/model/resources/iri-patterns.ts';
import type { Dictionary } from '../../../src/snapshot/dictionary/dictionary.ts';
import { openSnapshot, type SnapshotReader } from '../../../src/snapshot/read/reader.ts';
import { VisibleGraphs } from '../../../src/snapshot/read/visible-graphs.ts';
import { planLoad } from '../../../src/snapshot/write/change-plan.ts';
import { SnapshotWriter } from '../../../src/snapshot/write/snapshot-writer.ts';
import { anyQuad, type TextQuad, universe } from '../../contracts/path-graph.contract.ts';
import { blockOf } from '../blocks.ts';

const limits = { log: 5, recent: 8, deltas: 20 };
const patterns = iriPatterns(['urn:g1', 'urn:g2*']);

function readerOf(quads: readonly TextQuad[]): SnapshotReader {
  const writer = new SnapshotWriter(undefined, limits);
  const middle = quads.length >> 1;
  for (const part of [quads.slice(0, middle), quads.slice(middle)]) {
    writer.apply(planLoad(writer, 'urn:g1', blockOf(part), 'x'));
  }
  return openSnapshot(writer.publish(1));
}

function textsOf(reader: SnapshotReader, cursor: QuadCursor): string[] {
  const texts: string[] = [];
  while (cursor.next()) {
    const { subject, predicate, object, graph } = cursor;
    texts.push([subject, predicate, object, graph].map((id) => reader.text(id)).join(' '));
  }
  return texts.sort();
}

/** All that a reader says, as texts, so that ids make no difference. */
function contentOf(reader: SnapshotReader): unknown {
  const terms = universe.map((text) => reader.find(text));
  const sorted = (read: (into: number[]) => void) => {
    const into: number[] = [];
    read(into);
    return into.map((id) => reader.text(id)).sort();
  };
  const subjects: string[] = [];
  const all = reader.subjectsFrom({ kind: 'all' }, 1);
  while (all.next()) subjects.push(reader.text(all.subject));
  return {
    graphs: reader
      .graphs()
      .flatMap((id) => (id === 1 ? [] : [reader.text(id)]))
      .sort(),
    subjects: subjects.sort(),
    // A complete reader also has the system graph, which is empty here.
    quads: textsOf(reader, reader.allQuads()),
    terms: terms.map((id) => ({
      bySubject: textsOf(reader, reader.subjectCursor(id)),
      byObject: textsOf(reader, reader.objectCursor(id)),
      ofGraph: textsOf(reader, reader.graphCursor(id)),
      size: reader.graphSize(id),
      isSubject: reader.isSubject(id),
      objects: sorted((into) => reader.allObjects(id, into)),
      subjects: sorted((into) => reader.allSubjects(id, into)),
      predicates: sorted((into) => reader.predicates(id, into)),
      values: terms.map((predicate) => sorted((into) => reader.objects(id, predicate, into))),
      within: sorted((into) =>
        reader.within(['<urn:g1>', '<urn:g3>'].map((each) => reader.find(each))).allObjects(id, into),
      ),
      graphsOf: terms.map((object) =>
        reader
          .graphsOf(id, reader.find('<urn:p>'), object)
          .map((graph) => reader.text(graph))
          .sort(),
      ),
    })),
  };
}

describe('a reader for a client that may not read all graphs', () => {
  it('says what a reader of a snapshot without the hidden graphs says (G-161)', () => {
    fc.assert(
      fc.property(fc.array(anyQuad, { maxLength: 16, size: 'max' }), (quads) => {
        // The data set as a whole decides how the tag of a language is written.
        fc.pre(!quads.some(({ object }) => object.endsWith('GB')));
        const visible = quads.filter(({ graph }) => graph !== '<urn:g3>');
        const view = readerOf(quads).visibleTo(patterns);
        assert.deepEqual(contentOf(view), contentOf(readerOf(visible)));
        for (const id of universe.map((text) => view.find(text))) {
          const isMentioned = view.subjectCursor(id).next() || view.objectCursor(id).next();
          assert.equal(view.mentions(id), isMentioned);
          assert.equal(view.shown(id), isMentioned ? id : 0);
          // Nothing tells how many hidden quads have a predicate.
          assert.equal(view.predicateCount(id), 0);
        }
      }),
      { numRuns: 100 },
    );
  });

  it('looks once only for a visible quad among many hidden ones', (t) => {
    const hidden = Array.from({ length: 1_000 }, (_, i) => ({
      subject: `<urn:n${i}>`,
      predicate: '<urn:p>',
      object: '<urn:class>',
      graph: '<urn:g3>',
    }));
    const view = readerOf(hidden).visibleTo(patterns);
    const isSeen = t.mock.method(view, 'sees');
    const id = view.find('<urn:class>');
    assert.equal(view.mentions(id), false);
    assert.equal(isSeen.mock.callCount(), 1_000);
    assert.equal(view.mentions(id), false);
    assert.equal(isSeen.mock.callCount(), 1_000);
  });

  it('is made once for each set of patterns, and is the reader itself without patterns', () => {
    const reader = readerOf([]);
    assert.equal(reader.visibleTo(undefined), reader);
    assert.equal(reader.visibleTo(patterns), reader.visibleTo(iriPatterns(['urn:g2*', 'urn:g1'])));
  });
});

describe('the graphs that a client may read', () => {
  it('are never those of the server, but any others that the patterns match', () => {
    const names = ['system', 'ldp-managed', 'other'].map((name) => `<urn:x-pathpool:${name}>`);
    const terms = { text: (id: number) => names[id - 2]! } as Dictionary;
    const graphs = new VisibleGraphs(terms, iriPatterns(['urn:*']));
    assert.deepEqual(
      [2, 3, 4].map((id) => graphs.has(id)),
      [false, false, true],
    );
  });

  it('are remembered, but only a bounded number of them', () => {
    let compared = 0;
    const text = (id: number) => {
      compared++;
      return `<urn:g${id}>`;
    };
    const graphs = new VisibleGraphs({ text } as unknown as Dictionary, patterns);
    const looked = [2, 3, 2].map((id) => graphs.has(id));
    assert.deepEqual([looked, compared], [[true, false, true], 2]);
    for (let id = 2; id < 20_000; id++) graphs.has(id);
    const before = compared;
    assert.equal(graphs.has(2), true);
    assert.equal(compared, before + 1);
    assert.deepEqual([graphs.has(0), graphs.has(1)], [false, false]);
  });
});
