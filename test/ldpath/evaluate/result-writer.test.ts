import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { piece } from '../../../src/base/bytes/writer.ts';
import { LdPathError } from '../../../src/ldpath/errors.ts';
import { ResultWriter } from '../../../src/ldpath/evaluate/result-writer.ts';

describe('ResultWriter', () => {
  it('writes up to its limit and not past it', () => {
    const writer = new ResultWriter(8, 2);
    writer.append(piece('12345678'));
    assert.equal(writer.length, 8);
    assert.throws(() => writer.byte(1), LdPathError);
    writer.clear();
    assert.throws(() => writer.append(piece('123456789')), { code: 'budget-exceeded' });
  });

  it('gives each result all of the limit', () => {
    const writer = new ResultWriter(8, 2);
    writer.append(piece('12345678'));
    writer.beginResult();
    writer.text('12345678');
    assert.throws(() => writer.byte(1), LdPathError);
    assert.equal(writer.length, 16);
  });

  it('counts the bytes of a text, not what it might have taken', () => {
    const writer = new ResultWriter(8, 2);
    writer.text('12345678');
    assert.equal(writer.length, 8);
  });

  it('offers room up to its limit, and leaves what was written as it is', () => {
    const writer = new ResultWriter(8, 2);
    writer.text('12');
    assert.equal(writer.makeRoom(7), false);
    assert.equal(writer.makeRoom(6), true);
    assert.equal(writer.view.byteLength, 8);
    assert.equal(Buffer.from(writer.slice()).toString(), '12');
  });
});
