import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { check } from '../../../src/ldpath/compile/check-text.ts';
import { prefixes } from '../support.ts';

function checkProgram(text: string) {
  return check('program', text, { prefixes });
}

/** The parts of the text that the errors and warnings are about. */
function shown(text: string): string[] {
  const { errors, warnings } = checkProgram(text);
  return [...errors, ...warnings].map(({ code, offset, length = 0 }) => {
    return `${code}: ${text.slice(offset, offset + length)}`;
  });
}

describe('the check of a program', () => {
  it('lists the fields that count, with their places in UTF-16 code units', () => {
    const text = '/* \u{1F600} */ a = foaf:name ;\n b = . :: xsd:string ; a = . ;';
    const { errors, fields } = checkProgram(text);
    assert.deepEqual(errors, []);
    assert.deepEqual(
      fields.map(({ offset, length, ...rest }) => ({ ...rest, text: text.slice(offset, offset + length) })),
      [
        { name: 'b', line: 2, column: 2, text: 'b = . :: xsd:string ;' },
        { name: 'a', line: 2, column: 24, text: 'a = . ;' },
      ],
    );
  });

  it('says whether there is a filter or a boost', () => {
    const { filter, boost } = checkProgram('@filter foaf:name ; a = . ;');
    assert.deepEqual({ filter, boost }, { filter: true, boost: false });
    assert.equal(checkProgram('@boost foaf:age ;').boost, true);
  });

  it('accepts a program that is empty, and no such path', () => {
    assert.deepEqual(checkProgram(''), {
      errors: [],
      warnings: [],
      fields: [],
      filter: false,
      boost: false,
    });
    const [error] = check('path', '', { prefixes }).errors;
    assert.deepEqual(
      { ...error, detail: '' },
      {
        code: 'parse-error',
        detail: '',
        line: 1,
        column: 1,
        offset: 0,
      },
    );
  });

  it('has the first error with the token at which it is', () => {
    for (const [text, expected] of [
      ['a = foaf:name\nfoaf:knows ;', 'parse-error: foaf:knows'],
      ['a = fooo:name ;', 'unknown-prefix: fooo:name'],
      ['a = fn:nothing(.) ;', 'unknown-function: nothing'],
      ['a = fn:replace(.) ;', 'bad-arguments: fn:replace'],
      ['a = . :: xsd:nothing ;', 'unknown-function: xsd:nothing'],
      ['a = foaf:name ; é = /', 'parse-error: /'],
      ['$', 'parse-error: '],
      ['a = "open ;', 'parse-error: '],
      ['a = ', 'parse-error: '],
    ] as const) {
      assert.deepEqual(shown(text), [expected], text);
    }
  });

  it('counts columns in code points and offsets in UTF-16 code units', () => {
    const [error] = checkProgram('# \u{1F600}\r\na = "\u{1F600}" / oops:a ;').errors;
    assert.deepEqual(error, {
      code: 'unknown-prefix',
      detail: error!.detail,
      line: 2,
      column: 11,
      offset: 17,
      length: 6,
    });
  });

  it('has warnings with their places, also those of prefixes', () => {
    const text = '@prefix ex: <urn:x:> ; @prefix foaf: <urn:y:> ; a = foaf:a[!foaf:b & foaf:c] ; a = . ;';
    assert.deepEqual(shown(text), [
      'unused-prefix: ex',
      'redefined-prefix: foaf',
      'wide-not: !foaf:b & foaf:c',
      'duplicate-field: a = . ;',
    ]);
    assert.deepEqual(shown('a = . /* open'), ['unclosed-comment: /*']);
    assert.deepEqual(shown('@prefix : <urn:x:> ; a = . ;'), ['unused-prefix: :']);
  });

  it('takes time in proportion to the text', () => {
    const text = Array.from({ length: 20_000 }, (_, i) => `a${i}=.;`).join('');
    const { fields } = checkProgram(text);
    assert.equal(fields.length, 20_000);
    assert.equal(fields.at(-1)!.column, text.length - 'a19999=.;'.length + 1);
  });
});

describe('the check of a path', () => {
  it('has its warnings and its error', () => {
    const path = (text: string) => check('path', text, { prefixes });
    assert.equal(path('fn:first(foaf:a)').warnings[0]!.code, 'first-of-one');
    assert.equal(path('foaf:a /').errors[0]!.offset, 8);
    assert.deepEqual(path('foaf:a').fields, []);
  });
});
