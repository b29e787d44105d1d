import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import * as oxigraph from 'oxigraph';
import { parse, quads, write } from '../rdf/formats/documents.ts';
import { isomorphic } from '../rdf/formats/isomorphic.ts';
import {
  nestedQuadLines,
  nestedTripleLines,
  quadLines,
  tripleLines,
  xmlTripleLines,
} from './rdf-arbitraries.ts';

const RUNS = 300;
const NQ = 'application/n-quads';
const JSON_LD = 'application/ld+json';
const COMPACTED = `${JSON_LD};profile="http://www.w3.org/ns/json-ld#compacted"`;

/** Reads a document with Oxigraph, also those that the server reads with N3.js. */
function oxigraphQuads(text: string, mediaType: string): string[] {
  return quads(oxigraph.parse(text, { format: mediaType }).map(String).join(' .\n').concat(' .'), NQ);
}

function survives(
  lines: readonly string[],
  mediaType: string,
  readType = mediaType,
  readWith: (text: string, mediaType: string) => string[] = quads,
): void {
  const block = parse(`${lines.join('\n')}\n`, NQ);
  const written = write(block, mediaType);
  const read = readWith(written, readType);
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

  for (const [mediaType, nested, readType = mediaType] of [
    ['text/turtle', nestedTripleLines],
    ['text/n3', nestedTripleLines],
    ['application/trig', nestedQuadLines],
    [JSON_LD, nestedQuadLines],
    [COMPACTED, nestedQuadLines, JSON_LD],
  ] as const) {
    it(`is read back by each parser with its lists and nested nodes in ${mediaType}`, () => {
      fc.assert(
        fc.property(nested, (lines) => {
          survives(lines, mediaType, readType);
          survives(lines, mediaType, readType, oxigraphQuads);
        }),
        { numRuns: RUNS },
      );
    });
  }

  it('is read back as the same quads in compacted JSON-LD', () => {
    fc.assert(
      fc.property(quadLines, (lines) => survives(lines, COMPACTED, JSON_LD)),
      { numRuns: RUNS },
    );
  });

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
