import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { LdPathError } from '../../../src/ldpath/errors.ts';
import { ByteWriter, piece } from '../../../src/ldpath/evaluate/json-writer.ts';

describe('ByteWriter', () => {
  it('grows, whatever the pieces', () => {
    const writer = new ByteWriter(10_000, 4);
    const expected: number[] = [];
    for (const size of [0, 1, 5, 15, 16, 23, 24, 127, 128, 129, 512, 513, 1000]) {
      const bytes = Uint8Array.from({ length: size }, (_, i) => i);
      writer.copy(bytes, 0, size);
      writer.append({ view: new DataView(bytes.buffer), length: size });
      writer.copy(bytes, size >> 1, size);
      expected.push(...bytes, ...bytes, ...bytes.subarray(size >> 1));
    }
    writer.byte(7);
    writer.text('größer 😀');
    assert.deepEqual([...writer.slice()], [...expected, 7, ...new TextEncoder().encode('größer 😀')]);
  });

  it('writes up to its limit and not past it', () => {
    const writer = new ByteWriter(8, 2);
    writer.append(piece('12345678'));
    assert.equal(writer.length, 8);
    assert.throws(() => writer.byte(1), LdPathError);
    writer.clear();
    assert.throws(() => writer.append(piece('123456789')), { code: 'budget-exceeded' });
  });

  it('gives each result all of the limit', () => {
    const writer = new ByteWriter(8, 2);
    writer.append(piece('12345678'));
    writer.beginResult();
    writer.text('12345678');
    assert.throws(() => writer.byte(1), LdPathError);
    assert.equal(writer.length, 16);
  });

  it('counts the bytes of a text, not what it might have taken', () => {
    const writer = new ByteWriter(8, 2);
    writer.text('12345678');
    assert.equal(writer.length, 8);
  });
});
