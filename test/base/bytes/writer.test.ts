import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ByteWriter, piece } from '../../../src/base/bytes/writer.ts';

describe('ByteWriter', () => {
  it('grows, whatever the pieces', () => {
    const writer = new ByteWriter(new Uint8Array(4));
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
    assert.deepEqual(
      [...writer.bytes.subarray(0, writer.length)],
      [...expected, 7, ...new TextEncoder().encode('größer 😀')],
    );
  });

  it('writes texts of every length in UTF-8', () => {
    const texts = ['', 'a', 'ä', 'abcä', 'x'.repeat(128), 'x'.repeat(129), 'ä'.repeat(200), '\ud800'];
    const writer = new ByteWriter(new Uint8Array(0));
    for (const text of texts) writer.text(text);
    assert.equal(written(writer), Buffer.from(texts.join('')).toString());
  });

  it('copies from one source after another', () => {
    const writer = new ByteWriter(new Uint8Array(1));
    const [one, other] = [Buffer.from('1'.repeat(40)), Buffer.from('2'.repeat(40))];
    writer.copy(one, 1, 31);
    writer.copy(other, 2, 32);
    writer.put(one);
    writer.append(piece('3'));
    assert.equal(written(writer), `${'1'.repeat(30)}${'2'.repeat(30)}${'1'.repeat(40)}3`);
  });

  it('has a view of the bytes after each growth', () => {
    const writer = new ByteWriter(new Uint8Array(2));
    writer.text('abc');
    assert.equal(writer.view.buffer, writer.bytes.buffer);
    writer.reserve(1000);
    assert.equal(writer.view.buffer, writer.bytes.buffer);
    assert.equal(written(writer), 'abc');
  });
});

function written({ bytes, length }: ByteWriter): string {
  return Buffer.from(bytes.subarray(0, length)).toString();
}
