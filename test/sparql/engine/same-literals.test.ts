import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { QuadCursor } from '../../../src/rdf/model/quad-cursor.ts';
import { hasRespelledRepeats } from '../../../src/sparql/engine/fill.ts';

const TERMS = ['', '"1"', '"01"', '"001"'];
const groups = new Map([['"1"', ['"01"', '"001"']]]);
const SUBJECTS = 25_000;

/** For each subject and each of two spellings of a value, a triple in the graph that is given. */
function readerOf(graphOf: (subject: number, object: number) => number) {
  const objectCursor = (object: number): QuadCursor => {
    const quad = { subject: 0, predicate: 7, object, graph: 0 };
    const next = () => {
      quad.graph = graphOf(++quad.subject, object);
      return quad.subject <= SUBJECTS;
    };
    return Object.assign(quad, { next }) as unknown as QuadCursor;
  };
  return { find: (text: string) => TERMS.indexOf(text), objectCursor, graphsOf: () => [] as number[] };
}

/** Returns a function that returns the largest size that any map has had since. */
function mostEntries(t: TestContext): () => number {
  const { set } = Map.prototype;
  let most = 0;
  t.mock.method(Map.prototype, 'set', function (this: Map<unknown, unknown>, key: unknown, value: unknown) {
    most = Math.max(most, this.size + 1);
    return set.call(this, key, value);
  });
  return () => most;
}

test('a value in many triples is compared in parts, and each part reports progress', (t) => {
  let beats = 0;
  const beat = () => {
    beats++;
  };
  const most = mostEntries(t);
  const isRepeated = hasRespelledRepeats(
    readerOf(() => 9),
    { groups },
    beat,
    1_000,
  );
  t.mock.restoreAll();
  assert.equal(isRepeated, false);
  assert.ok(beats > 50, `${beats}`);
  assert.ok(most() < 1_500, `${most()}`);
});

test('a repeated triple in another graph is found in every part', () => {
  for (let odd = 1; odd <= SUBJECTS; odd += 1_999) {
    const reader = readerOf((subject, object) => (subject === odd && object === 3 ? 10 : 9));
    for (const together of [1_000, 1_000_000]) {
      assert.equal(
        hasRespelledRepeats(reader, { groups }, () => {}, together),
        true,
        `${odd}`,
      );
    }
  }
});
