import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { parseError, quads } from '../documents.ts';

const JSON_LD = 'application/ld+json';
const XSD = 'http://www.w3.org/2001/XMLSchema#';

/** Returns the literals that a value of `ex:p` becomes, whose type the context may coerce. */
function literals(value: string, type?: string): string[] {
  const term = JSON.stringify({ '@id': 'http://example.org/p', ...(type && { '@type': type }) });
  const document = `{"@context": {"p": ${term}}, "@id": "urn:s", "p": ${value}}`;
  return quads(document, JSON_LD).map((line) => line.split(' ').slice(2, -1).join(' '));
}

const literal = (text: string, type: string) => `"${text}"^^<${type}>`;
const integer = (text: string) => literal(text, `${XSD}integer`);
const double = (text: string) => literal(text, `${XSD}double`);

describe('G-45: a whole number from 10^20 up to 10^21', () => {
  const written = [
    '100000000000000000000',
    '1e20',
    '1E+20',
    '10.0e19',
    '0.1e21',
    '100000000000000000000.0',
    '1e00020',
  ];

  it('is an integer, in whatever way it is written', () => {
    for (const number of written) {
      assert.deepEqual(literals(number), [integer('100000000000000000000')], number);
      assert.deepEqual(literals(`-${number}`), [integer('-100000000000000000000')], number);
    }
  });

  it('keeps all its digits', () => {
    const digits = fc.stringMatching(/^[1-9]\d{20}$/);
    fc.assert(fc.property(digits, (number) => assert.deepEqual(literals(number), [integer(number)])));
  });

  it('keeps the digits that a text with an exponent has', () => {
    const digits = fc.stringMatching(/^\d{0,20}$/);
    const property = fc.property(fc.integer({ min: 1, max: 9 }), digits, (first, rest) => {
      const number = `${first}${rest === '' ? '' : `.${rest}`}e20`;
      assert.deepEqual(literals(number), [integer(`${first}${rest.padEnd(20, '0')}`)]);
    });
    fc.assert(property);
  });

  it('is a double if the context says so, and has other types as an integer', () => {
    assert.deepEqual(literals('1e20', `${XSD}double`), [double('1.0E20')]);
    assert.deepEqual(literals('-123e18', `${XSD}double`), [double('-1.23E20')]);
    assert.deepEqual(literals('123e18', 'urn:t'), [literal('123000000000000000000', 'urn:t')]);
  });

  it('has the canonical form of JSON in a JSON literal', () => {
    const value = '{"@type": "@json", "@value": [1e20, 123456789012345678901, 1]}';
    const json = '[100000000000000000000,123456789012345680000,1]';
    assert.deepEqual(literals(value), [literal(json, 'http://www.w3.org/1999/02/22-rdf-syntax-ns#JSON')]);
  });
});

describe('G-45: other numbers', () => {
  it('are as the parser reads them', () => {
    const values = '[99999999999999999999, 1e21, 1.5e-20, 1234567890123456, 0e20, 1.2345e2]';
    assert.deepEqual(literals(values), [
      integer('99999999999999999999'),
      double('1.0E21'),
      double('1.5E-20'),
      integer('1234567890123456'),
      integer('0'),
      double('1.2345E2'),
    ]);
  });

  it('are doubles with a fraction', () => {
    assert.deepEqual(literals('100000000000000000000.5'), [double('1.000000000000000000005E20')]);
  });

  it('remain texts in strings', () => {
    assert.deepEqual(literals('"\\" 1e20 "'), ['"\\" 1e20 "']);
  });
});

describe('a document with numbers from 10^20 on', () => {
  it('has errors at their places', () => {
    const { details } = parseError('{"@id": "urn:s",\n "urn:p": [1e20, 1e20 x]}', JSON_LD);
    assert.equal(details.line, 2);
    assert.ok(details.column! >= 17 && details.column! <= 24, String(details.column));
  });

  it('is refused if it has more than 100,000 of them', () => {
    const many = `{"@id": "urn:s", "urn:p": [${'1e20,'.repeat(100_000)}1e20]}`;
    const { code, details } = parseError(many, JSON_LD);
    assert.deepEqual([code, details.line, details.column], ['too-large', 1, 500_028]);
  });
});
