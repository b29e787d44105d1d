import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { piece } from '../../../src/base/bytes/writer.ts';
import { LdPathError } from '../../../src/ldpath/errors.ts';
import { ResultWriter } from '../../../src/ldpath/evaluate/result-writer.ts';

describe('ResultWriter', () => {
  it('writes up to its limit and throws beyond it', () => {
    const writer = new ResultWriter(8, 2);
    writer.append(piece('12345678'));
    assert.equal(writer.length, 8);
    assert.throws(() => writer.byte(1), LdPathError);
    writer.clear();
    assert.throws(() => writer.append(piece('123456789')), { code: 'budget-exceeded' });
  });

  it('allows each result the full limit', () => {
    const writer = new ResultWriter(8, 2);
    writer.append(piece('12345678'));
    writer.beginResult();
    writer.text('12345678');
    assert.throws(() => writer.byte(1), LdPathError);
    assert.equal(writer.length, 16);
  });

  it('charges a text for its actual size, not for its largest possible size', () => {
    const writer = new ResultWriter(8, 2);
    writer.text('12345678');
    assert.equal(writer.length, 8);
  });

  it('makes room up to its limit and keeps what was written', () => {
    const writer = new ResultWriter(8, 2);
    writer.text('12');
    assert.equal(writer.makeRoom(7), false);
    assert.equal(writer.makeRoom(6), true);
    assert.equal(writer.view.byteLength, 8);
    assert.equal(Buffer.from(writer.slice()).toString(), '12');
  });
});
