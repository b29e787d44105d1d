import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { RdfError } from '../../../src/rdf/formats/errors.ts';
import { LengthyDocumentError } from '../../../src/rdf/formats/unfolding-budget.ts';
import { ending } from '../../support/ending.ts';
import { parse } from './documents.ts';

/** Typical documents, as long as a small document may be. */
const usual: readonly (readonly [string, string])[] = [
  [
    'text/turtle',
    repeated((i) => `<http://example.org/people/${i}> a <urn:Person> ; <urn:name> "No ${i}" .\n`),
  ],
  ['application/n-quads', repeated((i) => `<http://example.org/people/${i}> <urn:name> "No ${i}" .\n`)],
  [
    'application/ld+json',
    `{"@context":{"name":"urn:name"},"@graph":[${repeated((i) => `{"@id":"http://example.org/people/${i}","name":"No ${i}"},`)}{}]}`,
  ],
  [
    'application/rdf+xml',
    `<r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:p="http://example.org/">${repeated(
      (i) => `<p:Person r:about="http://example.org/people/${i}"><p:name>No ${i}</p:name></p:Person>`,
    )}</r:RDF>`,
  ],
  [
    'application/rdf+json',
    `{${repeated((i) => `"urn:${i}":{"urn:name":[{"type":"literal","value":"No ${i}"}]},`)}"urn:a":{}}`,
  ],
];

const long = 'x'.repeat(10_000);

/** Documents whose parse time grows with each use of a long name that they declare once. */
const lengthy: readonly (readonly [string, string, string])[] = [
  [
    'a type with a context of its own, given often',
    'application/ld+json',
    JSON.stringify({
      '@context': {
        '@version': 1.1,
        ...Object.fromEntries(Array.from({ length: 2_500 }, (_, i) => [`o${i}`, 'u:'])),
        T: { '@id': 'u:T', '@context': {} },
      },
      '@id': 'u:a',
      '@type': Array(4_000).fill('T'),
    }),
  ],
  ['a long prefix', 'text/turtle', `@prefix p: <http://e/${long}> .\n${'p:a p:b p:c .\n'.repeat(1_000)}`],
  ['a long base', 'text/turtle', `@base <http://e/${long}/> .\n${'<a> <b> <c> .\n'.repeat(1_000)}`],
  [
    'many namespaces',
    'application/rdf+xml',
    `<r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#" ${Array.from({ length: 2_000 }, (_, i) => `xmlns:n${i}="u:"`).join(' ')}><r:Description>${'<n1:p/>'.repeat(4_000)}</r:Description></r:RDF>`,
  ],
  [
    'a long entity',
    'application/rdf+xml',
    `<!DOCTYPE r:RDF [<!ENTITY e "${long}">]><r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:p="u:"><r:Description><p:a>${'&e;'.repeat(1_000)}</p:a></r:Description></r:RDF>`,
  ],
];

function repeated(make: (index: number) => string): string {
  let text = '';
  for (let i = 0; text.length < 60_000; i++) text += make(i);
  return text;
}

describe('parseRdf with the brief option', () => {
  for (const [mediaType, text] of usual) {
    it(`reads a typical document of the maximum length: ${mediaType}`, () => {
      const { quads } = parse(text, mediaType, { brief: true });
      assert.deepEqual(quads, parse(text, mediaType).quads);
    });
  }

  for (const [what, mediaType, text] of lengthy) {
    it(`gives up a document that takes long: ${what}`, () => {
      assert.ok(text.length <= 64 * 1024, `${text.length}`);
      assert.throws(() => ending(() => parse(text, mediaType, { brief: true })), LengthyDocumentError);
    });
  }

  it('reports a syntax error that comes before the limit', () => {
    const isSyntaxError = (error: unknown) => error instanceof RdfError && error.code === 'parse-error';
    assert.throws(() => parse('<a> <b>', 'text/turtle', { brief: true }), isSyntaxError);
  });
});
