import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { didYouMean, nearest } from '../../../src/ldpath/syntax/suggestion.ts';

describe('the suggested name', () => {
  it('is found despite letters that are wrong, missing or superfluous, at any position', () => {
    assert.equal(nearest('lane', ['lang', 'lane']), 'lane');
    assert.equal(nearest('aang', ['bang', 'aang']), 'aang');
    assert.equal(nearest('conct', ['count', 'concat']), 'concat');
    assert.equal(nearest('flattenn', ['flat', 'flatten']), 'flatten');
    assert.equal(nearest('subst', ['sort', 'substr']), 'substr');
    assert.equal(nearest('xlast', ['first', 'last']), 'last');
  });

  it('is the first of several equally close names', () => {
    assert.equal(nearest('las', ['last', 'lasr']), 'last');
    assert.equal(nearest('las', ['lasr', 'last']), 'lasr');
  });

  it('is found regardless of case', () => {
    assert.equal(nearest('STRJOIN', ['string', 'strJoin']), 'strJoin');
  });

  it('differs in at most half of the letters and at most three', () => {
    assert.equal(nearest('a', ['b']), 'b');
    assert.equal(nearest('a', ['bc']), undefined);
    assert.equal(nearest('abcd', ['abxy']), 'abxy');
    assert.equal(nearest('abcd', ['axyz']), undefined);
    assert.equal(nearest('abcdefgh', ['abcdexyz']), 'abcdexyz');
    assert.equal(nearest('abcdefgh', ['abcdwxyz']), undefined);
    assert.equal(nearest('abc', []), undefined);
  });

  it('depends on the first 40 letters of the misspelt name only', () => {
    const forty = 'x'.repeat(40);
    assert.equal(nearest(`${forty}yyyyyyyy`, [forty]), forty);
    assert.equal(nearest(`${'x'.repeat(39)}y`, ['x'.repeat(39), `${'x'.repeat(39)}y`]), `${'x'.repeat(39)}y`);
  });

  it('appears as a question at the end of a message', () => {
    assert.equal(didYouMean('lang', ['lang']), '; did you mean "lang"?');
    assert.equal(didYouMean('lang', ['xpath']), '');
  });
});
