import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { BlockTripleTerms } from '../../../src/rdf/model/block-triple-terms.ts';

const cases: readonly (readonly [string, boolean])[] = [
  ['<<( <urn:a> <urn:b> "x _:y" )>>', false],
  ['<<( <urn:a> <urn:b> "\\" _:y" )>>', false],
  ['<<( <urn:a> <urn:b> <<( <urn:c> <urn:d> " _:y"@en )>> )>>', false],
  ['<<( <urn:a> <urn:b> <urn:c> )>>', false],
  ['"<<( _:y"', false],
  ['<<( <urn:a> <urn:b> _:y )>>', true],
  ['<<( _:y <urn:b> "x _:z" )>>', true],
  ['<<( <urn:a> <urn:b> <<( _:y <urn:d> "x" )>> )>>', true],
];

describe('the triple terms of a block', () => {
  for (const [text, expected] of cases) {
    it(`have blank nodes, but not in strings: ${text}`, () => {
      const bytes = Buffer.from(`<urn:s>${text}`);
      const block = { termBytes: bytes, termOffsets: Uint32Array.of(0, 7, bytes.length) };
      const terms = new BlockTripleTerms(block);
      assert.deepEqual([terms.hasBlankNodes(0), terms.hasBlankNodes(1)], [false, expected]);
    });
  }
});
