import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ending } from '../../support/ending.ts';
import { parse, parseError } from './documents.ts';

const XML = 'application/rdf+xml';
const RDF = 'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="urn:e:"';

function times(count: number, make: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => make(index)).join('');
}

function xml(content: string, attributes = '', before = ''): string {
  return `${before}<rdf:RDF ${RDF}${attributes}>\n${content}</rdf:RDF>`;
}

const namespaces = (count: number) => times(count, (index) => ` xmlns:n${index}="urn:n${index}:"`);
const attributes = (count: number) => times(count, (index) => ` e:p${index}="x"`);
const description = (content: string) => `<rdf:Description rdf:about="urn:a">${content}</rdf:Description>`;

function count(document: string): number {
  return ending(() => parse(document, XML).quads.length / 4);
}

describe('RDF/XML that is too expensive to parse', () => {
  const long = 'x'.repeat(500_000);
  const relative = '<rdf:Description rdf:about="a"/>'.repeat(100_000);
  const documents: readonly (readonly [string, string])[] = [
    ['300,000 attributes', xml(`<e:T${attributes(300_000)}/>`)],
    [
      'attributes with long names',
      xml(`<e:T${times(10_000, (index) => ` e:${'x'.repeat(100)}${index}=""`)}/>`),
    ],
    ['100,000 namespaces in one tag', xml('', namespaces(100_000))],
    ['many names in the scope of many namespaces', xml('<e:T/>'.repeat(20_000), namespaces(20_000))],
    [
      'namespaces with long prefixes',
      xml(
        `<${'x'.repeat(250)}1000:T/>`.repeat(8000),
        times(4000, (index) => ` xmlns:${'x'.repeat(250)}${1000 + index}="urn:e:"`),
      ),
    ],
    [
      'many attributes in a long namespace',
      xml(`<f:T xmlns:f="urn:${long}"${times(5000, (index) => ` f:p${index}=""`)}/>`.repeat(10)),
    ],
    ['a long base', xml(relative, ` xml:base="http://e/${long}/"`)],
    [
      'a long base by an entity',
      xml(relative, ' xml:base="http://e/&b;/"', `<!DOCTYPE rdf:RDF [<!ENTITY b "${long}">]>\n`),
    ],
  ];
  for (const [what, document] of documents) {
    it(`is rejected: ${what}`, () => {
      const { code, message, details } = ending(() => parseError(document, XML));
      assert.equal(code, 'too-large');
      assert.match(message, /too many attributes or namespaces$/);
      assert.equal(details.source, 'body');
    });
  }

  it('is rejected as malformed: namespaces without space between them', () => {
    const together = times(100_000, (index) => `xmlns:n${index}='urn:'`);
    assert.equal(ending(() => parseError(xml('', together), XML)).code, 'parse-error');
  });

  it('is rejected: 5,000 attributes in a namespace too long for the hash of a string', () => {
    for (const length of [20_000, 500_000]) {
      const names = times(5000, (index) => ` f:p${1000 + index}=""`);
      const { code } = ending(() =>
        parseError(xml(`<f:T xmlns:f="urn:${'x'.repeat(length)}"${names}/>`), XML),
      );
      assert.equal(code, 'too-large');
    }
  });

  it('is rejected: an XML literal that declares a long namespace many times', () => {
    const markup = `<b>${'<f:c/>'.repeat(100_000)}</b>`;
    const literal = `<e:p xmlns:f="urn:${long}" rdf:parseType="Literal">${markup}</e:p>`;
    assert.equal(ending(() => parseError(xml(description(literal)), XML)).code, 'too-large');
  });

  it('is rejected at the tag where the budget ends (G-134)', () => {
    const { details } = ending(() => parseError(xml(`<e:T/>\n  <e:T${attributes(300_000)}/>`), XML));
    assert.deepEqual(details, { source: 'body', line: 3, column: 3 });
  });
});

describe('RDF/XML within the limits, with many attributes or namespaces', () => {
  it('is parsed: 5,000 attributes', () => {
    assert.equal(count(xml(`<rdf:Description rdf:about="urn:a"${attributes(5000)}/>`)), 5000);
  });

  it('is parsed: 2,000 namespaces, each of which is used', () => {
    const content = times(2000, (index) => description(`<n${index}:p>1</n${index}:p>`));
    assert.equal(count(xml(content, namespaces(2000))), 2000);
  });

  it('is parsed: 100,000 resources in the scope of 100 namespaces', () => {
    const content = times(100_000, (index) => `<e:T rdf:about="urn:${index}"><n7:p>1</n7:p></e:T>`);
    assert.equal(count(xml(content, namespaces(100))), 200_000);
  });

  it('is parsed: 50,000 resources, each with its own namespace', () => {
    const content = times(50_000, (index) => `<n:T xmlns:n="urn:${index}:" rdf:about="urn:${index}"/>`);
    assert.equal(count(xml(content)), 50_000);
  });

  it('is parsed: many XML literals in the scope of 20 namespaces', () => {
    const literal = (index: number) => `<e:p rdf:parseType="Literal"><p>text ${index}</p></e:p>`;
    assert.equal(count(xml(description(times(2000, literal)), namespaces(20))), 2000);
  });

  it('is parsed: an XML literal of 5,000 elements in the scope of 5,000 namespaces', () => {
    const content = description(`<e:p rdf:parseType="Literal">${'<b/>'.repeat(5000)}</e:p>`);
    assert.equal(count(xml(content, namespaces(5000))), 1);
  });

  it('is parsed: a list of 100,000 resources', () => {
    const members = times(100_000, (index) => `<rdf:Description rdf:about="urn:${index}"/>`);
    assert.equal(count(xml(description(`<e:p rdf:parseType="Collection">${members}</e:p>`))), 200_001);
  });
});
