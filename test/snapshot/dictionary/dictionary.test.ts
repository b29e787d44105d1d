import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { withSmallTag } from '../../../src/rdf/model/language/tag-case.ts';
import { Dictionary } from '../../../src/snapshot/dictionary/dictionary.ts';
import { DictionaryWriter } from '../../../src/snapshot/dictionary/term-writer.ts';
import { SYSTEM_GRAPH, SYSTEM_GRAPH_ID } from '../../../src/snapshot/graphs/system-graph.ts';

const count = 20_000;
const text = (i: number): string => (i % 3 === 0 ? `"größe ${i} 😀"@de` : `<http://example.org/${i}>`);

describe('The dictionary', () => {
  it('numbers terms by first mention, after the name of the system graph', () => {
    const writer = new DictionaryWriter();
    assert.equal(writer.findText(`<${SYSTEM_GRAPH}>`), SYSTEM_GRAPH_ID);
    for (let i = 0; i < count; i++) assert.equal(writer.internText(text(i)), i + 2);
    for (let i = 0; i < count; i++) assert.equal(writer.internText(text(i)), i + 2);
    assert.equal(writer.termCount, count + 1);
  });

  it('allocates at least the memory that it uses, which exceeds that of its terms', () => {
    const writer = new DictionaryWriter();
    for (let i = 0; i < count; i++) {
      writer.internText(text(i));
      if (i % 1000 !== 0) continue;
      const { terms, used, reserved } = writer.memory();
      assert.ok(terms < used && used <= reserved, `${terms} ${used} ${reserved}`);
    }
  });

  it('knows whether it may have terms that older releases misread, and terms of RDF 1.2', () => {
    const kinds = (writer: DictionaryWriter) => [writer.mayNeedNewFormat, writer.mayHaveRdf12];
    const writer = new DictionaryWriter();
    writer.internText('"A"@en-us');
    assert.deepEqual(kinds(writer), [false, false]);
    writer.internText('"B"@en-US');
    for (let i = 0; i < count; i++) writer.internText(text(i));
    assert.deepEqual(kinds(writer), [true, false]);
    const { termCount, arena, ends } = writer.descriptor();
    assert.deepEqual(kinds(new DictionaryWriter({ termCount, arena, ends })), [true, false]);
    writer.internText('"C"@en--ltr');
    assert.deepEqual(kinds(writer), [true, true]);
  });

  it('finds and reads every term after any growth', () => {
    const writer = new DictionaryWriter();
    for (let i = 0; i < count; i++) writer.internText(text(i));
    const reader = new Dictionary(writer.descriptor());
    for (let i = 0; i < count; i++) {
      assert.equal(reader.find(text(i)), i + 2);
      assert.equal(reader.text(i + 2), text(i));
    }
    assert.equal(reader.find('<http://example.org/unknown>'), 0);
  });

  it('finds many terms at once as it finds them one by one, from any start', () => {
    const writer = new DictionaryWriter();
    for (let i = 0; i < count; i++) writer.internText(text(i));
    const reader = new Dictionary(writer.descriptor());
    for (let i = 0; i < 100; i++) writer.internText(`<http://example.org/later/${i}>`);
    const texts = Array.from({ length: 700 }, (_, i) =>
      i % 5 === 0 ? `<http://example.org/later/${i}>` : text(i * 7),
    );
    const ends = texts.map((_, i) => Buffer.byteLength(texts.slice(0, i + 1).join('')));
    const bounds = Uint32Array.from(ends.flatMap((end, i) => [i === 0 ? 0 : ends[i - 1]!, end]));
    const ids = new Uint32Array(600);
    reader.findAll(Buffer.from(texts.join('')), bounds.subarray(100, 1300), ids);
    assert.deepEqual(
      [...ids],
      texts.slice(50, 650).map((one) => reader.find(one)),
    );
    assert.ok(ids.includes(0));
  });

  for (const forgotten of [300, 10_000]) {
    it(`forgets its newest ${forgotten} terms and finds all others`, () => {
      const writer = new DictionaryWriter();
      const kept = 5000;
      for (let i = 0; i < kept; i++) writer.internText(text(i));
      const reader = new Dictionary(writer.descriptor());
      const { used } = writer.memory();
      const other = (i: number) => `<http://example.org/other/${i}>`;
      for (let i = 0; i < forgotten; i++) writer.internText(other(i));
      writer.forget(kept + 1);
      assert.equal(writer.termCount, kept + 1);
      assert.equal(writer.memory().used, used);
      for (let i = 0; i < forgotten; i++) assert.equal(writer.findText(other(i)), 0);
      for (let i = forgotten; i-- > 0; ) assert.equal(writer.internText(other(i)), kept + 1 + forgotten - i);
      for (let i = 0; i < kept; i++) {
        assert.equal(writer.findText(text(i)), i + 2);
        assert.equal(reader.find(text(i)), i + 2);
      }
    });
  }

  it('moves to bigger buffers through changes, commits and rollbacks', () => {
    const writer = new DictionaryWriter();
    const readers: Dictionary[] = [];
    const tables = new Set<SharedArrayBuffer>();
    const terms = 400_000;
    for (let i = 0, commit = 0; i < terms; commit++) {
      for (let lost = 0; lost < (commit % 3) * 200; lost++) writer.internText(`"lost ${commit} ${lost}"`);
      writer.forget(i + 1);
      for (const end = i + 1000; i < end; i++) writer.internText(text(i));
      writer.publish();
      const { table } = writer.descriptor();
      if (tables.has(table)) continue;
      tables.add(table);
      readers.push(new Dictionary(writer.descriptor()));
    }
    readers.push(new Dictionary(writer.descriptor()));
    assert.ok(tables.size > 8, 'a table that grows by doubling');
    for (let i = 0; i < terms; i += 7) {
      for (const reader of readers) {
        assert.equal(reader.find(text(i)), i + 2 <= reader.termCount ? i + 2 : 0);
        if (i + 2 <= reader.termCount) assert.equal(reader.text(i + 2), text(i));
      }
    }
    const lost = readers.at(-1)!.find('"lost 1 1"');
    assert.equal(lost, 0);
    const { used, reserved } = writer.memory();
    assert.ok(used <= reserved && reserved < 3 * used);
  });

  it('moves to a bigger table only when it publishes, even with thousands of terms each time', () => {
    const terms = 20_000;
    const writer = new DictionaryWriter();
    const table = () => writer.descriptor().table;
    let moves = 0;
    for (let step = 0; step < 45; step++) {
      const before = table();
      for (let i = 0; i < terms; i++) writer.internText(text(step * terms + i));
      const isBig = before.byteLength > 2 ** 22;
      if (isBig) assert.equal(table(), before, `in step ${step}`);
      writer.publish();
      if (isBig && table() !== before) moves++;
    }
    assert.ok(moves > 1);
    for (let i = 0; i < 45 * terms; i += 997) assert.equal(writer.findText(text(i)), i + 2);
  });

  it('hides later terms from readers of the same buffers', () => {
    const writer = new DictionaryWriter();
    for (let i = 0; i < 100; i++) writer.internText(text(i));
    const before = writer.descriptor();
    for (let i = 100; i < 200; i++) writer.internText(text(i));
    assert.equal(writer.descriptor().table, before.table, 'the buffers have room for both');
    const reader = new Dictionary(before);
    for (let i = 0; i < 200; i++) assert.equal(reader.find(text(i)), i < 100 ? i + 2 : 0);
  });

  it('numbers known and new terms of a table as it numbers them one by one, also during growth', () => {
    const writer = new DictionaryWriter();
    for (let i = 0; i < count; i += 2) writer.internText(text(i));
    const one = new DictionaryWriter();
    for (let i = 0; i < count; i += 2) one.internText(text(i));
    const texts = Array.from({ length: count }, (_, i) => Buffer.from(text((7 * i) % count)));
    const offsets = new Uint32Array(count + 1);
    for (const [i, { length }] of texts.entries()) offsets[i + 1] = offsets[i]! + length;
    const ids = writer.internAll(Buffer.concat(texts), offsets);
    assert.deepEqual(
      [...ids],
      texts.map((bytes) => one.intern(bytes, 0, bytes.length)),
    );
  });

  it('has one id for terms that differ in the case of their language tags, and the first spelling', () => {
    const tag = fc
      .array(fc.stringMatching(/^[a-cA-C][a-cA-C0-9]{0,2}$/), { minLength: 1, maxLength: 3 })
      .map((parts) => `@${parts.join('-')}`);
    const value = fc.constantFrom('', 'a', 'A', 'a@B', 'größe', 'some longer text', '\\"@A');
    const term = fc.tuple(value, fc.oneof(tag, fc.constantFrom('', '^^<urn:A>', '^^<urn:a>')));
    const text = term.map(([before, after]) => `"${before}"${after}`);
    fc.assert(
      fc.property(fc.array(text, { maxLength: 30, size: 'max' }), (texts) => {
        const writer = new DictionaryWriter();
        const first = new Map<string, string>();
        for (const each of texts) {
          const key = withSmallTag(each);
          if (!first.has(key)) first.set(key, each);
          const id = writer.internText(each);
          assert.equal(new Dictionary(writer.descriptor()).text(id), first.get(key));
        }
        assert.equal(writer.termCount, 1 + first.size);
        const { table, ...stored } = writer.descriptor();
        for (const source of [{ ...stored, table }, stored]) {
          const reader = new Dictionary(new DictionaryWriter(source).descriptor());
          for (const each of texts) {
            assert.equal(reader.text(reader.find(each)), first.get(withSmallTag(each)));
          }
        }
      }),
    );
  });

  it('accepts terms of any length', () => {
    const writer = new DictionaryWriter();
    const long = `"${'ö'.repeat(3_000_000)}"`;
    const id = writer.internText(long);
    const reader = new Dictionary(writer.descriptor());
    assert.equal(reader.find(long), id);
    assert.equal(reader.text(id), long);
    assert.equal(reader.find(''), 0);
  });
});
