import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { errorOf, people, select } from '../support.ts';

describe('numerals', () => {
  it('include a sign only if no white space follows it', () => {
    for (const [path, value] of [
      ['-5', '"-5"^^xsd:integer'],
      ['+5', '"+5"^^xsd:integer'],
      ['( -5 )', '"-5"^^xsd:integer'],
      ['-0.5', '"-0.5"^^xsd:decimal'],
      ['-1e3', '"-1e3"^^xsd:double'],
    ] as const) {
      assert.deepEqual(select(people, 'alice', path), [value], path);
    }
    for (const path of ['- 5', '+ 5', '-\n5', '-', '--5', '-foo', '-"5"']) {
      assert.equal(errorOf(() => select(people, 'alice', path)).code, 'parse-error', path);
    }
  });
});
