import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import * as oxigraph from 'oxigraph';
import { mergedPrefixes, readPrefixes } from '../../src/rdf/model/names/declared-prefixes.ts';
import { parse, quads, write } from '../rdf/formats/documents.ts';
import { isomorphic } from '../rdf/formats/isomorphic.ts';
import { quadLines, tripleLines, xmlTripleLines } from './rdf-arbitraries.ts';

const RUNS = 200;
const NQ = 'application/n-quads';
const JSON_LD = 'application/ld+json';
const COMPACTED = `${JSON_LD};profile="http://www.w3.org/ns/json-ld#compacted"`;

/** Names that formats, schemes of IRIs or other prefixes also use; some are not allowed. */
const names = fc.constantFrom(
  ...['', '_', '_x', 'a', 'ex', 'foaf', 'rdf', 'dct', 'ns', 'ns1', 'its', 'xml', 'xmlns', 'XML1', 'true'],
  ...['prefix', 'base', 'graph', 'version', 'urn', 'http', 'geo', 'mailto', 'été', 'a.b', 'a.', '-a', '1a'],
  ...['@id', '@type', '__proto__', 'constructor', 'a:b', 'a b', '"', '<', 'x'.repeat(32), 'x'.repeat(33)],
);
const namespaces = fc.constantFrom(
  ...['http://example.org/', 'http://example.org/日本/', 'http://example.org/ns#', 'urn:example:a:', 'urn:'],
  ...['urn:example:', 'mailto:', 'geo:', 'foaf:', 'dct:', 'http:', 'http://xmlns.com/foaf/0.1/'],
  ...[
    'http://purl.org/dc/terms/',
    'http://www.w3.org/1999/02/22-rdf-syntax-ns#',
    'http://example.org/?a=1&b=',
  ],
  ...['http://www.w3.org/XML/1998/namespace', 'http://www.w3.org/2000/xmlns/', 'http://example.org/a'],
  ...['relative/', '', 'http://x/"', 'http://x/>', 'http://x/ y', `http://x/${'y'.repeat(600)}/`],
);
const declarations = fc
  .array(fc.tuple(names, namespaces), { maxLength: 8 })
  .map((pairs) => pairs.map(([name, namespace]) => `${name} ${namespace}`).join('\n'));

function oxigraphQuads(text: string, mediaType: string): string[] {
  const lines = oxigraph.parse(text, { format: mediaType }).map((quad) => `${quad} .\n`);
  return quads(lines.join(''), NQ);
}

function survives(lines: readonly string[], prefixes: string, mediaType: string): void {
  const block = { ...parse(`${lines.join('\n')}\n`, NQ), prefixes };
  const written = write(block, mediaType);
  const readType = mediaType === COMPACTED ? JSON_LD : mediaType;
  const document = `${lines.join('\n')}\n`;
  for (const reader of mediaType === 'text/n3' ? [quads] : [quads, oxigraphQuads]) {
    const read = reader(written, readType);
    // Oxigraph changes the case of language tags.
    const same = isomorphic(reader(document, NQ), read);
    assert.ok(same, `${prefixes}\n--\n${written}\n-- read --\n${read.join('\n')}`);
  }
}

describe('data with prefixes of an upload (G-56)', () => {
  for (const [mediaType, data] of [
    ['text/turtle', tripleLines],
    ['text/n3', tripleLines],
    ['application/trig', quadLines],
    [COMPACTED, quadLines],
    ['application/rdf+xml', xmlTripleLines],
  ] as const) {
    it(`are read back as the same data in ${mediaType}, whatever the prefixes are`, () => {
      fc.assert(
        fc.property(data, declarations, (lines, prefixes) => survives(lines, prefixes, mediaType)),
        { numRuns: RUNS },
      );
    });
  }

  it('keep the prefixes that were there when others are merged in', () => {
    fc.assert(
      fc.property(declarations, declarations, (text, more) => {
        const known = new Map(readPrefixes(text));
        const merged = new Map(readPrefixes(mergedPrefixes(text, more)));
        for (const [name, namespace] of readPrefixes(more)) {
          assert.equal(
            merged.get(name),
            known.get(name) ?? new Map(readPrefixes(more)).get(name) ?? namespace,
          );
        }
        for (const [name, namespace] of known) assert.equal(merged.get(name), namespace);
      }),
      { numRuns: RUNS },
    );
  });
});
