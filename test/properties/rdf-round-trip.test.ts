import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { parse, quads, write } from '../rdf/formats/documents.ts';
import { isomorphic } from '../rdf/formats/isomorphic.ts';
import { quadLines, tripleLines, xmlTripleLines } from './rdf-arbitraries.ts';

const RUNS = 300;

function survives(lines: readonly string[], mediaType: string): void {
  const block = parse(`${lines.join('\n')}\n`, 'application/n-quads');
  const written = write(block, mediaType);
  const read = quads(written, mediaType);
  assert.ok(
    isomorphic(lines, read),
    `${lines.join('\n')}\n-- written --\n${written}\n-- read --\n${read.join('\n')}`,
  );
}

describe('what is written in a format', () => {
  for (const mediaType of [
    'application/n-triples',
    'text/turtle',
    'text/n3',
    'application/ld+json',
    'application/rdf+json',
  ]) {
    it(`is read back as the same triples in ${mediaType}`, () => {
      fc.assert(
        fc.property(tripleLines, (lines) => survives(lines, mediaType)),
        { numRuns: RUNS },
      );
    });
  }

  it('is read back as the same triples in application/rdf+xml', () => {
    fc.assert(
      fc.property(xmlTripleLines, (lines) => survives(lines, 'application/rdf+xml')),
      { numRuns: RUNS },
    );
  });

  for (const mediaType of ['application/n-quads', 'application/trig', 'application/ld+json']) {
    it(`is read back as the same quads in ${mediaType}`, () => {
      fc.assert(
        fc.property(quadLines, (lines) => survives(lines, mediaType)),
        { numRuns: RUNS },
      );
    });
  }

  it('is the same each time', () => {
    fc.assert(
      fc.property(tripleLines, (lines) => {
        const block = parse(`${lines.join('\n')}\n`, 'application/n-triples');
        assert.equal(write(block, 'text/turtle'), write(block, 'text/turtle'));
      }),
      { numRuns: 30 },
    );
  });
});
