import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { failure, type Result } from '../../../src/errors.ts';
import { type ListOptions, listGraphs } from '../../../src/services/contexts/graph-listing.ts';
import { SortedNames } from '../../../src/snapshot/graphs/sorted-names.ts';

const all: ListOptions = {
  labels: false,
  prefix: '',
  offset: 0,
  visible: undefined,
  limit: Number.POSITIVE_INFINITY,
};

/** Returns names from 000000 on. */
function numbers(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `urn:${String(index).padStart(6, '0')}`);
}

/** Describes each name by a list that contains only the name. */
function describe(names: Uint8Array): Promise<Result<Uint8Array>> {
  const entries = (JSON.parse(`[${Buffer.from(names)}]`) as string[]).map((name) => [name]);
  return Promise.resolve({ ok: true, value: Buffer.from(JSON.stringify(entries).slice(1, -1)) });
}

async function open(names: SortedNames, options: Partial<ListOptions> = {}, describing = describe) {
  const listing = await listGraphs(names, { ...all, ...options }, describing);
  assert.ok(listing.ok);
  return listing.value;
}

async function read(names: SortedNames, options: Partial<ListOptions> = {}): Promise<unknown[]> {
  const listing = await open(names, options);
  return JSON.parse(Buffer.concat(await chunksOf(listing)).toString()) as unknown[];
}

async function chunksOf(listing: Uint8Array | AsyncIterable<Uint8Array>): Promise<Uint8Array[]> {
  if (listing instanceof Uint8Array) return [listing];
  const chunks: Uint8Array[] = [];
  for await (const chunk of listing) chunks.push(chunk);
  return chunks;
}

test('a listing with offset, limit and prefix is the same part of the whole listing', async () => {
  const names = [...numbers(700), 'urn:a:1', 'urn:a:2', 'urn:b'];
  const cases = fc.record({
    most: fc.constantFrom(1, 7, 512),
    prefix: fc.constantFrom('', 'urn:a:', 'urn:0001', 'urn:9', 'zzz'),
    offset: fc.nat(750),
    limit: fc.oneof(fc.nat(750), fc.constant(Number.POSITIVE_INFINITY)),
    labels: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(cases, async ({ most, prefix, offset, limit, labels }) => {
      const expected = names.filter((name) => name.startsWith(prefix)).slice(offset, offset + limit);
      const found = await read(new SortedNames(names, most), { prefix, offset, limit, labels });
      assert.deepEqual(found, labels ? expected.map((name) => [name]) : expected);
    }),
    { numRuns: 200 },
  );
});

test('a short listing is sent as a whole, a long one in small parts', async () => {
  assert.equal(Buffer.from((await open(new SortedNames([]))) as Uint8Array).toString(), '[]');
  assert.ok((await open(new SortedNames(numbers(512)))) instanceof Uint8Array);
  for (const labels of [false, true]) {
    const chunks = await chunksOf(await open(new SortedNames(numbers(20_000)), { labels }));
    assert.ok(chunks.every((chunk) => chunk.length < 64 * 1024));
  }
});

test('parts are produced on demand, so a slow client needs no memory and gets all remaining graphs', async () => {
  for (const labels of [false, true]) {
    const names = new SortedNames(numbers(20_000));
    let described = 0;
    const listing = await open(names, { labels }, (part) => {
      described++;
      return describe(part);
    });
    const chunks: Uint8Array[] = [];
    for await (const chunk of listing as AsyncIterable<Uint8Array>) {
      chunks.push(chunk);
      if (labels) assert.ok(described <= chunks.length + 1);
      // Graphs are added and removed everywhere between two reads.
      for (const [index, name] of numbers(20_000).entries()) {
        if (index % 10 === 1) names.delete(name);
        if (index % 100 === 2) names.add(`${name}/${chunks.length}`);
      }
    }
    const entries = JSON.parse(Buffer.concat(chunks).toString()) as (string | [string])[];
    const found = entries.map((entry) => (typeof entry === 'string' ? entry : entry[0]));
    assert.deepEqual(found, [...new Set(found)].sort());
    const stay = numbers(20_000).filter((_, index) => index % 10 !== 1);
    const known = new Set(found);
    assert.ok(stay.every((name) => known.has(name)));
  }
});

test('a long listing writes one part in each turn of the event loop', async () => {
  const names = new SortedNames(numbers(50_000));
  let turns = 0;
  let isOver = false;
  const counting = (async () => {
    for (; !isOver; turns++) await nextTurn();
  })();
  const parts = await Promise.all([1, 2, 3].map(async () => (await chunksOf(await open(names))).length));
  isOver = true;
  await counting;
  // The first and the last part of each listing do not wait for a turn.
  const waited = parts.reduce((sum, count) => sum + count - 2, 0);
  assert.ok(waited > 250 && turns >= waited, `${turns} turns, ${waited} parts`);
});

test('a listing that cannot start returns an error; one that cannot continue is aborted', async () => {
  const names = new SortedNames(numbers(20_000));
  const rejected = await listGraphs(names, { ...all, labels: true }, () =>
    Promise.resolve(failure('overloaded', 'Too much to do.')),
  );
  assert.ok(!rejected.ok && rejected.error.code === 'overloaded');
  let calls = 0;
  const listing = await open(names, { labels: true }, (part) =>
    ++calls === 3 ? Promise.resolve(failure('cancelled', 'Left.')) : describe(part),
  );
  await assert.rejects(chunksOf(listing), { code: 'cancelled' });
});

test('a listing stops when its reader leaves', async () => {
  const names = new SortedNames(numbers(20_000));
  let calls = 0;
  const listing = await open(names, { labels: true }, (part) => {
    calls++;
    return describe(part);
  });
  for await (const chunk of listing as AsyncIterable<Uint8Array>) {
    assert.ok(chunk.length > 0);
    break;
  }
  for (let i = 0; i < 10; i++) await nextTurn();
  assert.ok(calls <= 2);
});
