import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseRdf } from '../../src/rdf/parse.ts';
import { skolemTrig } from '../../src/store/skolem.ts';
import { lines } from '../rdf/documents.ts';

const iris = ['<urn:a>', '<urn:b>', '<urn:c>', '<urn:g>', '<urn:h>'];
const [a, b, c, g, h] = [1, 2, 3, 4, 5];
const bytes = Buffer.from(iris.join(''));
const ends = Uint32Array.from([0, ...iris].keys(), (id) => 7 * id);
const terms = { bytes, ends, start: (id: number) => 7 * (id - 1), end: (id: number) => 7 * id };

function quadOf(quad: readonly number[]): string {
  return `${quad.map((id) => iris[id - 1]).join(' ')} .`;
}

test('quads that share graph, subject or predicate are all in the TriG, and no others', () => {
  for (const quads of [
    [],
    [[a, b, c, g]],
    [
      [a, b, b, g],
      [a, b, c, g],
      [a, c, c, g],
      [b, c, c, g],
      [b, c, c, h],
    ],
    // The same name as subject and predicate, as subject and graph.
    [
      [a, a, b, g],
      [a, b, c, g],
      [a, a, c, g],
      [b, a, c, g],
    ],
    [
      [g, g, g, g],
      [g, g, h, g],
      [g, g, g, h],
      [h, g, g, h],
    ],
  ]) {
    const trig = Buffer.concat(skolemTrig(Uint32Array.from(quads.flat()), terms));
    const block = parseRdf(trig, { mediaType: 'application/trig', baseIri: 'urn:x:base' });
    assert.deepEqual(lines(block), quads.map(quadOf), trig.toString());
  }
});
