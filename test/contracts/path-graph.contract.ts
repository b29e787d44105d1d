import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { withSmallTag } from '../../src/rdf/model/language/tag-case.ts';
import type { PathGraph } from '../../src/rdf/model/path-graph.ts';
import type { TermId } from '../../src/rdf/model/term-id.ts';

/** A quad of canonical N-Triples forms. */
export interface TextQuad {
  readonly subject: string;
  readonly predicate: string;
  readonly object: string;
  readonly graph: string;
}

const nodes = ['<urn:a>', '<urn:b>', '<urn:c>', '_:n1', '_:n2'];
const predicates = ['<urn:p>', '<urn:q>', '<urn:a>'];
const literals = [
  '"größe"',
  '"1"^^<http://www.w3.org/2001/XMLSchema#integer>',
  '"say \\"hi\\""@en-gb',
  '"say \\"hi\\""@en-GB',
];
export const graphs = ['<urn:g1>', '<urn:g2>', '<urn:g3>'];
/** Every term that `anyQuad` makes, and one that it doesn't. */
export const universe = [...nodes, '<urn:p>', '<urn:q>', ...literals, ...graphs, '<urn:elsewhere>'];

export const anyQuad: fc.Arbitrary<TextQuad> = fc.record({
  subject: fc.constantFrom(...nodes),
  predicate: fc.constantFrom(...predicates),
  object: fc.constantFrom(...nodes, ...literals),
  graph: fc.constantFrom(...graphs),
});

/** What every `PathGraph` must do. `make` builds the graph that is the union of the quads. */
export function pathGraphContract(name: string, make: (quads: readonly TextQuad[]) => PathGraph): void {
  describe(`${name} as a PathGraph`, () => {
    it('answers every lookup as a list of its triples would', () => {
      fc.assert(
        fc.property(fc.array(anyQuad, { maxLength: 60, size: 'max' }), (quads) =>
          assertAgrees(make(quads), quads),
        ),
        { numRuns: 60 },
      );
    });

    it('shows the given graphs alone through within', () => {
      fc.assert(
        fc.property(
          fc.array(anyQuad, { maxLength: 40, size: 'max' }),
          fc.subarray(graphs),
          (quads, chosen) => {
            const graph = make(quads);
            const view = graph.within([...chosen, '<urn:elsewhere>'].map((text) => graph.find(text)));
            assertAgrees(
              view,
              quads.filter((quad) => chosen.includes(quad.graph)),
            );
          },
        ),
        { numRuns: 60 },
      );
    });

    it('leaves what is in the list that it fills', () => {
      const graph = make([quadOf('<urn:a>', '<urn:p>', '<urn:b>'), quadOf('<urn:a>', '<urn:q>', '<urn:b>')]);
      const [a, p, b] = ['<urn:a>', '<urn:p>', '<urn:b>'].map((text) => graph.find(text)) as [
        number,
        number,
        number,
      ];
      const fills: ((into: TermId[]) => void)[] = [
        (into) => graph.objects(a, p, into),
        (into) => graph.allObjects(a, into),
      ];
      for (const fill of fills) {
        const into = [b, 999, -5];
        fill(into);
        assert.deepEqual(into, [b, 999, -5, b]);
      }
    });

    it('gives thousands of neighbours in ascending order', () => {
      const count = 3000;
      const quads = Array.from({ length: count }, (_, i) =>
        quadOf('<urn:hub>', `<urn:p${i % 7}>`, `"${(i * 7919) % count}"`),
      );
      const graph = make(quads);
      const into: TermId[] = [];
      graph.allObjects(graph.find('<urn:hub>'), into);
      assert.equal(into.length, count);
      assert.ok(into.every((id, i) => i === 0 || id > into[i - 1]!));
    });

    it('looks subjects up together as one by one, however many objects they have', () => {
      const sizes = [3, 0, 1, 5000, 2, 900, 900, 7, ...Array.from({ length: 200 }, (_, i) => i % 12)];
      const quads = sizes.flatMap((size, s) =>
        Array.from({ length: size }, (_, i) =>
          quadOf(`<urn:s${s}>`, `<urn:p${i % 3}>`, `"${(i * 31) % size}"`),
        ),
      );
      const graph = make([...quads, ...quads.slice(0, 50).map((quad) => ({ ...quad, graph: '<urn:g2>' }))]);
      const subjects = sizes.map((_, s) => graph.find(`<urn:s${s}>`));
      subjects.splice(5, 0, 0, -7, 2 ** 31 - 1, graph.find('"0"'));
      for (const predicate of ['<urn:p0>', '<urn:p1>', '<urn:p2>', '<urn:s0>']) {
        assertEachAgrees(graph, subjects, graph.find(predicate));
      }
    });

    it('finds nothing for ids that name no term', () => {
      const graph = make([quadOf('<urn:a>', '<urn:p>', '<urn:b>')]);
      const [a, p, b] = ['<urn:a>', '<urn:p>', '<urn:b>'].map((text) => graph.find(text)) as [
        number,
        number,
        number,
      ];
      for (const id of [0, -1, -2_000_000_000, 1_000_000, 2 ** 31 - 1]) {
        const into: TermId[] = [];
        graph.objects(id, p, into);
        graph.objects(a, id, into);
        graph.allObjects(id, into);
        graph.subjects(p, id, into);
        graph.subjects(id, b, into);
        graph.allSubjects(id, into);
        graph.predicates(id, into);
        assert.deepEqual(into, [], `id ${id}`);
        assert.equal(graph.has(id, p, b) || graph.has(a, id, b) || graph.has(a, p, id), false);
        assert.equal(graph.mentions(id), false);
      }
    });

    it('gives the canonical form of a term as text and as bytes', () => {
      const graph = make([quadOf('<urn:a>', '<urn:p>', '"größe \\n"@de')]);
      const id = graph.find('"größe \\n"@de');
      assert.equal(graph.text(id), '"größe \\n"@de');
      const { bytes } = graph.terms;
      const slice = bytes.slice(graph.terms.start(id), graph.terms.end(id));
      assert.equal(Buffer.from(slice).toString(), '"größe \\n"@de');
    });

    it('has never met a term that is in no quad', () => {
      const graph = make([quadOf('<urn:a>', '<urn:p>', '<urn:b>')]);
      for (const text of ['', '<urn:x>', '<urn:a', '"<urn:a>"', `<urn:${'x'.repeat(10_000)}>`]) {
        assert.equal(graph.find(text), 0);
      }
    });
  });
}

/**
 * Compares `objectsOfEach` with `objects` of each subject in turn; both keep the existing elements
 * of the list.
 */
function assertEachAgrees(graph: PathGraph, subjects: readonly TermId[], predicate: TermId): void {
  const expected = [42, ...subjects];
  for (const subject of subjects) graph.objects(subject, predicate, expected);
  const list = [42, ...subjects];
  for (let at = 1; at < subjects.length + 1; ) {
    const next = graph.objectsOfEach(list, at, subjects.length + 1, predicate);
    assert.ok(next > at && next <= subjects.length + 1, `${next} after ${at}`);
    at = next;
  }
  assert.deepEqual(list, expected);
}

export function quadOf(subject: string, predicate: string, object: string, graph = '<urn:g1>'): TextQuad {
  return { subject, predicate, object, graph };
}

/** Compares every method, for every term of the universe, with a scan of the quads. */
export function assertAgrees(graph: PathGraph, quads: readonly TextQuad[]): void {
  const spoken = new Set(
    quads.map(({ subject, predicate, object }) => `${subject} ${predicate} ${withSmallTag(object)}`),
  );
  const ids = universe.map((text) => graph.find(text));
  const given = (fill: (into: TermId[]) => void): TermId[] => {
    const into: TermId[] = [];
    fill(into);
    return into;
  };
  const expected = (
    column: 'subject' | 'predicate' | 'object',
    keep: (quad: TextQuad) => boolean,
  ): TermId[] => {
    const found = new Set(quads.filter(keep).map((quad) => graph.find(quad[column])));
    return [...found].sort((x, y) => x - y);
  };
  universe.forEach((x, i) => {
    const id = ids[i]!;
    assert.deepEqual(
      [
        given((into) => graph.allObjects(id, into)),
        given((into) => graph.allSubjects(id, into)),
        given((into) => graph.predicates(id, into)),
      ],
      [
        expected('object', (quad) => quad.subject === x),
        expected('subject', (quad) => isObject(x, quad)),
        expected('predicate', (quad) => quad.subject === x),
      ],
      x,
    );
    assert.equal(
      graph.mentions(id),
      quads.some((quad) => quad.subject === x || quad.predicate === x || isObject(x, quad)),
      `mentions ${x}`,
    );
    for (const predicate of predicates) {
      const p = graph.find(predicate);
      if (i === 0) assertEachAgrees(graph, ids, p);
      assert.deepEqual(
        [given((into) => graph.objects(id, p, into)), given((into) => graph.subjects(p, id, into))],
        [
          expected('object', (quad) => quad.subject === x && quad.predicate === predicate),
          expected('subject', (quad) => isObject(x, quad) && quad.predicate === predicate),
        ],
        `${x} ${predicate}`,
      );
      universe.forEach((y, j) => {
        assert.equal(
          graph.has(id, p, ids[j]!),
          spoken.has(`${x} ${predicate} ${withSmallTag(y)}`),
          `${x} ${predicate} ${y}`,
        );
      });
    }
  });
}

function isObject(term: string, { object }: TextQuad): boolean {
  return withSmallTag(object) === withSmallTag(term);
}
