import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { formatTerm, iri, languageLiteral, literal } from '../../../src/rdf/model/term.ts';
import { SnapshotWriter } from '../../../src/snapshot/write/snapshot-writer.ts';
import {
  blocksOf,
  decodePatch,
  encodeBlocks,
  encodePatch,
  headerSize,
  type PatchHeader,
  rowsSize,
} from '../../../src/store/patch/patch.ts';
import { blockPieces, inOneArena } from '../../../src/store/patch/row-block.ts';

const resource = fc.stringMatching(/^[a-z]{1,6}$/).map((name) => formatTerm(iri(`urn:x:${name}`)));
const text = fc.string({ unit: 'binary', maxLength: 12 }).filter((value) => value.isWellFormed());
const object = fc.oneof(
  resource,
  fc.constant('_:b1x0x2'),
  text.map((value) => formatTerm(literal(value))),
  text.map((value) => formatTerm(literal(value, 'http://www.w3.org/2001/XMLSchema#token'))),
  text.map((value) => formatTerm(languageLiteral(value, 'en-GB'))),
);
const quads = fc.array(fc.tuple(resource, resource, object, resource), { maxLength: 8 });

function decoded(chunks: readonly Uint8Array[]) {
  const rows: string[][] = [];
  let header: PatchHeader | undefined;
  const termsOf = (bytes: Uint8Array, bounds: Uint32Array) =>
    [0, 1, 2, 3].map((i) => Buffer.from(bytes.subarray(bounds[2 * i], bounds[2 * i + 1])).toString());
  decodePatch(Buffer.concat(chunks), {
    header: (given) => {
      header = given;
    },
    add: (bytes, bounds) => rows.push(['A', ...termsOf(bytes, bounds)]),
    remove: (bytes, bounds) => rows.push(['D', ...termsOf(bytes, bounds)]),
  });
  return { header, rows };
}

test('a patch with any terms is read back unchanged', () => {
  const steps = fc.array(fc.record({ added: quads, removed: quads }), { maxLength: 3 });
  fc.assert(
    fc.property(steps, fc.nat(), fc.boolean(), (given, time, renumbered) => {
      const writer = new SnapshotWriter();
      const ids = (rows: string[][]) =>
        Uint32Array.from(rows.flat(), (term) => writer.dictionary.internText(term));
      const changes = given.map(({ added, removed }) => ({ additions: ids(added), removals: ids(removed) }));
      const header = {
        time,
        created: ['urn:x:made'],
        dropped: ['urn:x:gone', 'urn:x:lost'],
        reduced: ['urn:x:less'],
        ...(renumbered && { renumbered }),
      };
      const chunks = encodePatch(header, changes, writer.reader().terms);
      const rows = given.flatMap(({ added, removed }) => [
        ...removed.map((quad) => ['D', ...quad]),
        ...added.map((quad) => ['A', ...quad]),
      ]);
      assert.deepEqual(decoded(chunks), { header, rows });
    }),
  );
});

test('the header of a patch fits its declared size', () => {
  fc.assert(
    fc.property(fc.array(fc.string()), fc.array(fc.string()), (created, others) => {
      const header = { time: Date.now(), created, dropped: others, reduced: created };
      const { terms } = new SnapshotWriter().reader();
      const { length } = Buffer.concat(encodePatch(header, [], terms));
      assert.ok(
        length <= headerSize(header) &&
          headerSize(header) < length + 64 + 16 * (2 * created.length + others.length),
      );
    }),
  );
});

test('the size of a patch is known before it is written', () => {
  const writer = new SnapshotWriter();
  const terms = ['<urn:x:s>', '<urn:x:p>', '"x\\ny"@en', '<urn:x:g>'];
  const additions = Uint32Array.from(terms, (term) => writer.dictionary.internText(term));
  const changes = { additions, removals: new Uint32Array(0) };
  const header = { time: 1, created: [], dropped: [], reduced: [] };
  const whole = Buffer.concat(encodePatch(header, [changes], writer.reader().terms)).toString();
  const row = whole.split('\n').find((line) => line.startsWith('A'));
  const size = { bytes: `${row}\n`.length, longest: terms.join('').length };
  assert.deepEqual(rowsSize(additions, writer.reader().terms), size);
});

test('rows in blocks are read after their header, also from a buffer', () => {
  const writer = new SnapshotWriter();
  const ids = ['<urn:s>', '<urn:p>', '"o"', '<urn:g>'].map((term) => writer.dictionary.internText(term));
  const changes = { removals: new Uint32Array(0), additions: Uint32Array.from(ids) };
  const blocks = Buffer.concat([...blockPieces(changes, inOneArena(writer.terms))]);
  const header = { time: 12, created: ['urn:g'], dropped: [], reduced: [] };
  const payload = Buffer.concat(encodeBlocks(header, 1, blocks));
  const visitor = {
    header: (given: PatchHeader) => assert.deepEqual(given, header),
    add: () => assert.fail('it is in a block'),
    remove: () => assert.fail('nothing is removed'),
  };
  const decoded = decodePatch(payload, visitor);
  assert.ok(decoded && !('name' in decoded));
  const [block, ...others] = decoded;
  assert.deepEqual([...block!.additions], [0, 1, 2, 3]);
  assert.equal(Buffer.from(block!.bytes).toString(), '<urn:s><urn:p>"o"<urn:g>');
  assert.deepEqual(others, []);
  for (const damaged of [payload.subarray(0, -4), payload.subarray(0, -1)]) {
    assert.throws(() => [...blocksOf(damaged)!], { code: 'data-damaged' });
  }
});

for (const [what, text] of [
  ['a row of another kind', 'TX .\nB <urn:s> <urn:p> <urn:o> <urn:g> .\n'],
  ['a row with three terms', 'TX .\nA <urn:s> <urn:p> <urn:o> .\n'],
  ['a row without an end', 'TX .\nA <urn:s> <urn:p> <urn:o> <urn:g>'],
] as const) {
  test(`${what} is rejected as a patch`, () => {
    const visitor = { header() {}, add() {}, remove() {} };
    assert.throws(() => decodePatch(Buffer.from(text), visitor), { code: 'data-damaged' });
  });
}
