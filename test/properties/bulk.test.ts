import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Result } from '../../src/errors.ts';
import { openNodeDisk } from '../../src/journal/disk/node-disk.ts';
import { serializeRdf } from '../../src/rdf/formats/serialize-quads.ts';
import type { TransactionResult } from '../../src/store/main/transaction.ts';
import { below, randomTransaction, toTransaction } from '../simulation/random-transactions.ts';
import { seededRandom } from '../simulation/sim-disk.ts';
import type { ModelTransaction } from '../simulation/store-model.ts';
import { BigStore } from '../support/big-store.ts';
import { filesIn, oracleLines } from '../support/oxigraph-oracle.ts';
import { contentOf, linesOf, openOn } from '../support/stores.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const STEPS = 12;

function linesIn(store: BigStore): string[] {
  return linesOf([...serializeRdf(store.reader.allQuads(), { mediaType: 'application/n-quads' })]);
}

/** Entity tags are made of the numbers of commits. */
function rowsOf({ graphs }: BigStore): unknown[] {
  return [...graphs.entries()]
    .map(([name, { size, sequence, since }]) => ({ name, size, sequence, since }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Blank nodes of one commit have labels with one beginning, which is another one in each store. */
class Labels {
  readonly #known = new Map<string, string>();

  /** Lines of the one store with the labels of the other. */
  translated(lines: readonly string[], others: readonly string[]): string[] {
    const fresh = prefixesIn(lines).filter((prefix) => !this.#known.has(prefix));
    const taken = new Set(this.#known.values());
    const free = prefixesIn(others).filter((prefix) => !taken.has(prefix));
    assert.equal(fresh.length, free.length);
    assert.ok(fresh.length <= 1, 'each commit has one');
    if (fresh[0] !== undefined) this.#known.set(fresh[0], free[0]!);
    const renamed = (_: string, prefix: string) => `_:${this.#known.get(prefix)}`;
    return lines.map((line) => line.replaceAll(/_:(b\w+?[XY]\w+?X)/g, renamed)).sort();
  }
}

function prefixesIn(lines: readonly string[]): string[] {
  return [
    ...new Set(
      lines.flatMap((line) => [...line.matchAll(/_:(b\w+?[XY]\w+?X)/g)].map(([, prefix]) => prefix!)),
    ),
  ];
}

/** One operation, with states of that store. */
function forStore({ preconditions, operations }: ModelTransaction, { identity }: BigStore) {
  const own = (states: '*' | readonly string[] | undefined) =>
    states === '*' || !states ? states : states.map((state) => state.replace('?', identity));
  return toTransaction({
    preconditions: preconditions.map(({ match, noneMatch, ...others }) => ({
      ...others,
      ...(match && { match: own(match)! }),
      ...(noneMatch && { noneMatch: own(noneMatch)! }),
    })),
    operations: operations.slice(0, 1),
  });
}

function shown(result: Result<TransactionResult>): unknown {
  return result.ok ? result.value : result.error.code;
}

/** The same to both, and the same comes of it. */
async function compare(seed: number, big: BigStore, plain: BigStore): Promise<Labels> {
  const random = seededRandom(seed);
  const labels = new Labels();
  for (let step = 0; step < STEPS; step++) {
    const state = () => `?${below(random, step + 2).toString(36)}`;
    const transaction = randomTransaction(random, state);
    const results = [
      await big.commit(forStore(transaction, big)),
      await plain.commit(forStore(transaction, plain)),
    ];
    assert.deepEqual(shown(results[0]!), shown(results[1]!), `seed ${seed}, step ${step}`);
    const expected = linesIn(plain);
    assert.deepEqual(labels.translated(linesIn(big), expected), expected, `seed ${seed}, step ${step}`);
    assert.deepEqual(rowsOf(big), rowsOf(plain), `seed ${seed}, step ${step}`);
  }
  return labels;
}

test('a change that pool threads compute has the same result as one that the store thread computes', async () => {
  for (let seed = 1; seed <= 150; seed++) {
    const big = await BigStore.open(null);
    const plain = await BigStore.open(null, Number.POSITIVE_INFINITY);
    await compare(seed, big, plain);
    await big.close();
    await plain.close();
  }
});

test('and after a start, also by what an independent reader makes of the files', async (context) => {
  for (let seed = 1001; seed <= 1012; seed++) {
    const directory = await temporaryDirectory(context);
    const big = await BigStore.open(directory);
    const plain = await BigStore.open(null, Number.POSITIVE_INFINITY);
    const labels = await compare(seed, big, plain);
    await big.close();
    await plain.close();
    const expected = linesIn(plain);
    const found = await oracleLines(filesIn(directory));
    assert.deepEqual(labels.translated(found, expected), expected, `seed ${seed}`);
    const store = await openOn(await openNodeDisk(directory));
    assert.deepEqual(contentOf(store), found);
    const rows = store.opened().graphs.map(([name, info]) => [name, info]);
    assert.deepEqual(new Map(rows as never), new Map(big.graphs.entries()));
    await store.close();
  }
});
