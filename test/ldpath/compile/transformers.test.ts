import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { graphOf, run } from '../support.ts';

/** The lexical form that a value converts to, or null when it is skipped. */
function convert(value: string, type: string): string | null {
  const graph = graphOf(`ex:a ex:p ${value} .`);
  const { fields, warnings } = run(graph, 'a', `x = ex:p :: xsd:${type} ;`);
  const [found] = fields['x']!;
  assert.equal(warnings.length, found === undefined ? 1 : 0);
  if (found === undefined) return null;
  const suffix = type === 'string' ? '"' : `"^^xsd:${type}`;
  assert.ok(found.endsWith(suffix), found);
  return found.slice(1, -suffix.length);
}

function check(type: string, rows: readonly (readonly [string, string | null])[]): void {
  for (const [value, expected] of rows) assert.equal(convert(value, type), expected, `${value} :: ${type}`);
}

describe('transformers', () => {
  it('convert every kind of term to a string or an anyURI', () => {
    check('string', [
      ['"a"@en', 'a'],
      ['" a "', ' a '],
      ['ex:b', 'http://example.org/b'],
    ]);
    check('anyURI', [
      ['ex:b', 'http://example.org/b'],
      ['" a  b "', 'a b'],
    ]);
  });

  it('write decimals without an exponent', () => {
    check('decimal', [
      ['"+1.50"', '1.50'],
      ['"1e3"', '1000'],
      ['"-15e-1"', '-1.5'],
      ['" 7 "', '7'],
      ['"1e99999"', null],
      ['"x"', null],
      ['ex:b', null],
    ]);
  });

  it('reject integers outside the range of their type', () => {
    check('integer', [
      ['"1.0"', '1'],
      ['"1e2"', '100'],
      ['"1.5"', null],
      ['"123456789012345678901234567890"', '123456789012345678901234567890'],
    ]);
    check('byte', [
      ['"127"', '127'],
      ['"-128"', '-128'],
      ['"128"', null],
    ]);
    check('short', [['"32768"', null]]);
    check('int', [
      ['"2147483647"', '2147483647'],
      ['"2147483648"', null],
    ]);
    check('long', [
      ['"9007199254740993"', '9007199254740993'],
      ['"9223372036854775808"', null],
    ]);
  });

  it('write floating-point numbers in canonical form', () => {
    check('double', [
      ['42', '4.2E1'],
      ['"0.001"', '1.0E-3'],
      ['"-0"', '-0.0E0'],
      ['"INF"', 'INF'],
      ['"-Infinity"', '-INF'],
      ['"NaN"', 'NaN'],
      ['"zz"', null],
    ]);
    check('float', [
      ['"3.4"', '3.4E0'],
      ['"16777217"', '1.6777216E7'],
    ]);
  });

  it('accept booleans in any case and as the digits 0 and 1', () => {
    check('boolean', [
      ['"TRUE"', 'true'],
      ['"0"', 'false'],
      ['"yes"', null],
    ]);
  });

  it('accept dates and times in many formats and write them in one', () => {
    check('dateTime', [
      ['"2012-03-04T05:06:07.0890+0200"', '2012-03-04T05:06:07.089+02:00'],
      ['"2012-03-04 05:06:07"', '2012-03-04T05:06:07'],
      ['"04.03.2012 05:06"', '2012-03-04T05:06:00'],
      ['"Sun Mar 04 05:06:07 GMT 2012"', '2012-03-04T05:06:07Z'],
      ['"2012-02-30T00:00:00Z"', null],
      ['"2012-02-28T25:00:00Z"', null],
      ['"2012-03-04"', null],
    ]);
    check('date', [
      ['"2012-02-29"', '2012-02-29'],
      ['"2012-03-04T05:06:07Z"', '2012-03-04Z'],
      ['"2011-02-29"', null],
    ]);
    check('time', [
      ['"12:30:00"', '12:30:00'],
      ['"12:30:00.500+0100"', '12:30:00.5+01:00'],
      ['"12:61:00"', null],
    ]);
    check('duration', [
      ['"P1DT2H"', 'P1DT2H'],
      ['"PT"', null],
      ['"P1H"', null],
    ]);
  });

  it('skip values that do not convert, with a warning, and keep the rest', () => {
    const graph = graphOf('ex:a ex:p 1, "x", 2 .');
    const { fields, warnings } = run(graph, 'a', 'f = ex:p :: xsd:int ;');
    assert.deepEqual(fields['f'], ['"1"^^xsd:int', '"2"^^xsd:int']);
    assert.deepEqual(warnings, [
      { field: 'f', message: '"x" does not convert to <http://www.w3.org/2001/XMLSchema#int>' },
    ]);
  });
});
