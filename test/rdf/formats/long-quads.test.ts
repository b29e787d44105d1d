import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MAX_DOCUMENT_QUAD_BYTES } from '../../../src/rdf/model/quad-limits.ts';
import { parse, parseError } from './documents.ts';

const MIB = 2 ** 20;
const RDF = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#';

/** Documents with a literal on the third line, in every format that allows such long literals. */
const documents: Readonly<Record<string, (text: string) => string>> = {
  'text/turtle': (text) => `<urn:s> <urn:p> "1" .\n\n<urn:s> <urn:p> "${text}" .\n`,
  'text/n3': (text) => `<urn:s> <urn:p> "1" .\n\n<urn:s> <urn:p> """${text}""" .\n`,
  'application/trig': (text) => `<urn:g> {\n\n<urn:s> <urn:p> "${text}" }\n`,
  'application/n-triples': (text) => `<urn:s> <urn:p> "1" .\n\n<urn:s> <urn:p> "${text}" .\n`,
  'application/n-quads': (text) => `<urn:s> <urn:p> "1" .\n\n<urn:s> <urn:p> "${text}" <urn:g> .\n`,
  'application/rdf+json': (text) => `{"urn:s":\n{"urn:p":\n[{"type":"literal","value":"${text}"}]}}`,
  'application/rdf+xml': (text) =>
    `<rdf:RDF xmlns:rdf="${RDF}" xmlns:u="urn:">\n<rdf:Description rdf:about="urn:s">\n<u:p>${text}</u:p></rdf:Description>\n</rdf:RDF>`,
};

describe('a triple that is too long to be loaded again after an export', () => {
  for (const [mediaType, document] of Object.entries(documents)) {
    it(`is rejected in ${mediaType}, with its line`, () => {
      const { code, details } = parseError(document('x'.repeat(MAX_DOCUMENT_QUAD_BYTES)), mediaType);
      assert.equal(code, 'too-large');
      assert.deepEqual({ line: details.line, source: details.source }, { line: 3, source: 'body' });
      assert.ok(details.column !== undefined && details.column >= 1);
      const short = parse(document('x'.repeat(MAX_DOCUMENT_QUAD_BYTES - 64)), mediaType);
      assert.ok(short.termBytes.length > MAX_DOCUMENT_QUAD_BYTES - 64);
    });
  }

  it('is rejected in JSON-LD, which has a lower limit for strings', () => {
    const { code, details } = parseError(
      `{"@id":"urn:s",\n"urn:p":"${'x'.repeat(15 * MIB)}"}`,
      'application/ld+json',
    );
    assert.equal(code, 'too-large');
    assert.equal(details.line, 2);
  });

  it('is measured in its canonical form, in which a line end takes two bytes', () => {
    const lines = '\n'.repeat(8 * MIB);
    assert.equal(parseError(`<urn:s> <urn:p> """${lines}""" .`, 'text/turtle').code, 'too-large');
    assert.equal(parseError(`<urn:s> <urn:p> "${'é'.repeat(8 * MIB)}" .`, 'text/turtle').code, 'too-large');
    parse(`<urn:s> <urn:p> """${lines.slice(MIB)}""" .`, 'text/turtle');
  });

  it('is measured by all of its terms together, including the graph', () => {
    const iri = (name: string) => `<urn:${name.repeat(4 * MIB)}>`;
    const three = `${iri('s')} ${iri('p')} ${iri('o')}`;
    assert.equal(parse(`${three} .`, 'application/n-quads').quads.length, 4);
    assert.equal(parseError(`${three} ${iri('g')} .`, 'application/n-quads').code, 'too-large');
    assert.equal(parseError(`${iri('g')} { ${three} }`, 'application/trig').code, 'too-large');
  });

  it('is measured by itself, and not together with other triples that have long terms', () => {
    const texts = Array.from({ length: 4 }, (_, i) => `<urn:s> <urn:p> "${String(i).repeat(8 * MIB)}" .`);
    assert.equal(parse(texts.join('\n'), 'application/n-triples').quads.length, 16);
  });
});
