import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import oxigraph from 'oxigraph';
import { formatLiteral, XSD } from '../../../src/rdf/model/term.ts';
import { oxigraphSpellings } from '../../../src/rdf/oxigraph/spelling.ts';
import { mayBeRespelled } from '../../../src/sparql/engine/canonical-literals.ts';

const types = [
  ...['boolean', 'integer', 'decimal', 'double', 'float', 'date', 'dateTime', 'dateTimeStamp', 'time', 'int'],
  ...['long', 'byte', 'unsignedInt', 'nonNegativeInteger', 'gYear', 'gMonthDay', 'duration', 'string'],
  ...['dayTimeDuration', 'yearMonthDuration', 'hexBinary', 'anyURI', 'token', 'unknown'],
];
const digits = fc.stringMatching(/^[+-]?[0-9]{1,20}$/);
const numbers = fc.stringMatching(/^[+-]?[0-9]{0,9}\.?[0-9]{0,11}([eE][+-]?[0-9]{1,2})?$/);
const times = fc.stringMatching(
  /^(20[0-9]{2}-[01][0-9]-[0-3][0-9])?T?([0-2][0-9]:[0-5][0-9]:[0-5][0-9](\.[0-9]{1,10})?)?(Z|[+-][01][0-9]:[03]0)?$/,
);
const some = fc.constantFrom(
  'true',
  'false',
  '1',
  '0',
  'P1D',
  'PT60S',
  '-P12M',
  '2026',
  '2026Z',
  '',
  'x',
  'INF',
  'NaN',
);
const literal = fc
  .tuple(fc.oneof(digits, numbers, times, some), fc.constantFrom(...types))
  .map(([value, type]) => formatLiteral(value, XSD + type, ''));

test('every literal that Oxigraph respells is recognised by mayBeRespelled', () => {
  fc.assert(
    fc.property(fc.array(literal, { minLength: 50, maxLength: 100, size: 'max' }), (literals) => {
      for (const [written, changed] of oxigraphSpellings(oxigraph, literals)) {
        if (written !== changed) assert.ok(mayBeRespelled(written), `${written} becomes ${changed}`);
      }
    }),
    { numRuns: 200 },
  );
});

test('mayBeRespelled excludes typical literals', () => {
  for (const [value, type] of [
    ...[
      ['42', 'integer'],
      ['-7', 'integer'],
      ['0', 'integer'],
      ['1.5', 'decimal'],
      ['true', 'boolean'],
    ],
    ...[
      ['2026-11-22', 'date'],
      ['2026-11-22T12:00:00Z', 'dateTime'],
      ['2026-11-22T12:00:00.25+02:00', 'dateTime'],
    ],
    ...[
      ['text', 'string'],
      ['0A', 'hexBinary'],
      ['1.25', 'double'],
    ],
  ] as [string, string][]) {
    assert.ok(!mayBeRespelled(formatLiteral(value, XSD + type, '')), `${value} ${type}`);
  }
});
