import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Changes } from '../../../src/snapshot/write/changes.ts';
import { SnapshotWriter } from '../../../src/snapshot/write/snapshot-writer.ts';
import { patchBlocks, patchLines, writePatchFile } from '../../../src/store/patch/file.ts';
import { patchRows, rowsBegin, rowsEnd } from '../../../src/store/patch/patch.ts';
import { type BlockLimits, blockPieces, inOneArena } from '../../../src/store/patch/row-block.ts';
import { SimDisk } from '../../simulation/sim-disk.ts';

const name = 'patch-000000000001-0000000000000000.rows';

/** Rows that share subjects and graphs with the rows before them, and terms of all lengths. */
function someChanges(writer: SnapshotWriter, removed: number, added: number): Changes {
  const id = (text: string) => writer.dictionary.internText(text);
  const rows = (from: number, count: number) =>
    Uint32Array.from({ length: count }, (_, i) => from + i).reduce<number[]>((all, i) => {
      const object = i % 3 === 0 ? `"${'é'.repeat(i % 50)}"@en` : `<urn:o${i % 7}>`;
      all.push(id(`<urn:s${i >> 2}>`), id(`<urn:p${i % 2}>`), id(object), id(`<urn:g${i >> 4}>`));
      return all;
    }, []);
  return { removals: Uint32Array.from(rows(1000, removed)), additions: Uint32Array.from(rows(0, added)) };
}

async function linesOf(pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<string> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(Buffer.from(piece));
  return Buffer.concat(all).toString();
}

for (const [title, limits] of [
  ['one block', undefined],
  ['blocks of one row', { rows: 1, termBytes: 1000 }],
  ['blocks of seven rows', { rows: 7, termBytes: 1e6 }],
  ['blocks that end with the bytes of their terms', { rows: 1000, termBytes: 100 }],
] as const satisfies readonly (readonly [string, BlockLimits | undefined])[]) {
  for (const [removed, added] of [
    [0, 100],
    [100, 0],
    [14, 91],
    [3, 1],
  ] as const) {
    test(`${removed} rows removed and ${added} added in ${title} are read unchanged`, async () => {
      const writer = new SnapshotWriter();
      const changes = someChanges(writer, removed, added);
      const disk = new SimDisk({ seed: 1 });
      const written = await writePatchFile(
        disk,
        name,
        blockPieces(changes, inOneArena(writer.terms), limits),
      );
      const reference = { ...written, name, rows: removed + added };
      const text = await linesOf([rowsBegin, ...patchRows(changes, writer.terms), rowsEnd]);
      assert.equal(await linesOf(patchLines(disk, reference)), text);
      const seen: Record<keyof Changes, number[]> = { removals: [], additions: [] };
      let blocks = 0;
      for await (const { bytes, offsets, removals, additions } of patchBlocks(disk, reference)) {
        const ids = writer.dictionary.internAll(bytes, offsets);
        assert.equal(new Set(ids).size, ids.length, 'a term is in a block once');
        for (const number of removals) seen.removals.push(ids[number]!);
        for (const number of additions) seen.additions.push(ids[number]!);
        blocks++;
      }
      assert.deepEqual(seen, {
        removals: [...changes.removals],
        additions: [...changes.additions],
      });
      if (limits?.rows !== 1000) assert.equal(blocks, Math.ceil((removed + added) / (limits?.rows ?? 1000)));
    });
  }
}

test('a file of blocks that is truncated or has a flipped bit is rejected by its name', async () => {
  const writer = new SnapshotWriter();
  const changes = someChanges(writer, 2, 7);
  const disk = new SimDisk({ seed: 1 });
  const pieces = blockPieces(changes, inOneArena(writer.terms), { rows: 4, termBytes: 1e6 });
  const reference = { ...(await writePatchFile(disk, name, pieces)), name, rows: 9 };
  const bytes = disk.bytesOf(name).slice();
  const readAll = async (bytesRead: number) => {
    for await (const _ of patchBlocks(disk, { ...reference, bytes: bytesRead }));
  };
  await readAll(bytes.length);
  const refusal = { code: 'data-damaged', message: /0000\.rows, .* does not match its digest/ };
  for (let length = 0; length < bytes.length; length++) {
    disk.put(name, bytes.slice(0, length));
    await assert.rejects(readAll(length), refusal);
    await assert.rejects(readAll(bytes.length), refusal);
  }
  for (let bit = 0; bit < 8 * bytes.length; bit++) {
    const flipped = bytes.slice();
    flipped[bit >> 3]! ^= 1 << (bit & 7);
    disk.put(name, flipped);
    await assert.rejects(readAll(bytes.length), refusal);
  }
});
