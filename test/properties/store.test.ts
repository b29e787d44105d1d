import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { NO_GRAPH, type QuadBlock } from '../../src/rdf/model/quad-block.ts';
import type { GraphOperation as Operation } from '../../src/store/main/transaction.ts';
import { SimDisk } from '../simulation/sim-disk.ts';
import { blockOf } from '../support/blocks.ts';
import { oracleLines } from '../support/oxigraph-oracle.ts';
import { commit, contentOf, drop, maintain, merge, openOn, replace } from '../support/stores.ts';

const graph = fc.constantFrom('urn:x:g0', 'urn:x:g1', 'urn:x:g2');
const triple = fc
  .tuple(fc.nat(4), fc.nat(2), fc.nat(12))
  .map(([s, p, o]) => `<urn:s${s}> <urn:p${p}> ${o < 6 ? `"${o}"` : `<urn:s${o - 6}>`} .`);
const document = fc.array(triple, { maxLength: 100 }).map((rows) => rows.join('\n'));
const operation: fc.Arbitrary<() => Operation> = fc.oneof(
  fc.tuple(graph, document).map(
    ([name, text]) =>
      () =>
        merge(name, text),
  ),
  fc.tuple(graph, document).map(
    ([name, text]) =>
      () =>
        replace(name, text),
  ),
  fc.tuple(graph, fc.boolean()).map(
    ([name, keep]) =>
      () =>
        drop(name, keep),
  ),
  fc.tuple(graph, document, document).map(([name, more, less]) => () => {
    return { kind: 'edit', graph: name, additions: blockOf(more), removals: blockOf(less) } as const;
  }),
  fc
    .tuple(fc.array(fc.tuple(graph, document), { maxLength: 3 }), graph, graph)
    .map(([parts, cleared, created]) => () => {
      const text = parts.map(([name, rows]) => rows.replaceAll(' .', ` <${name}> .`)).join('\n');
      const [additions, removals] = [blockOf(text), blockOf('')];
      return {
        kind: 'update',
        cleared: [cleared],
        additions,
        removals,
        created: [created],
        dropped: [],
      } as const;
    }),
);
const step = fc.oneof(
  { weight: 6, arbitrary: fc.array(operation, { minLength: 1, maxLength: 3 }) },
  { weight: 1, arbitrary: fc.constant('reopen' as const) },
  { weight: 1, arbitrary: fc.constant('maintain' as const) },
);

/** What the operations mean, on plain sets. */
function applyToModel(
  model: Map<string, Set<string>>,
  given: Operation,
  rowsOf: (operation: Operation) => string[][],
) {
  if (given.kind === 'load') return;
  const [first = [], second = []] = rowsOf(given);
  if (given.kind === 'update') {
    for (const name of given.cleared) model.get(name)?.clear();
    for (const row of first) {
      const [, rest, name] = /^(.*) <([^>]*)>$/.exec(row)!;
      model.set(name!, (model.get(name!) ?? new Set()).add(rest!));
    }
    for (const name of given.created) model.set(name, model.get(name) ?? new Set());
    return;
  }
  const content = model.get(given.graph) ?? new Set<string>();
  if (given.kind === 'drop') {
    if (given.keep && model.has(given.graph)) model.set(given.graph, new Set());
    else if (!given.keep) model.delete(given.graph);
    return;
  }
  if (given.kind === 'replace') content.clear();
  if (given.kind === 'edit') for (const row of second) content.delete(row);
  for (const row of first) content.add(row);
  model.set(given.graph, content);
}

function quadsOf({ quads, termBytes, termOffsets }: QuadBlock): [row: string, graph: string | undefined][] {
  const term = (i: number) => Buffer.from(termBytes.subarray(termOffsets[i], termOffsets[i + 1])).toString();
  return Array.from({ length: quads.length / 4 }, (_, row) => {
    const graphTerm = quads[4 * row + 3]!;
    const triple = [0, 1, 2].map((c) => term(quads[4 * row + c]!)).join(' ');
    return [triple, graphTerm === NO_GRAPH ? undefined : term(graphTerm).slice(1, -1)];
  });
}

function rowsOf(operation: Operation): string[][] {
  if (operation.kind === 'drop') return [];
  if (operation.kind === 'update') {
    return [operation.additions, operation.removals].map((block) =>
      quadsOf(block).map(([row, name]) => `${row} <${name}>`),
    );
  }
  const blocks = operation.kind === 'edit' ? [operation.additions, operation.removals] : [operation.block];
  return blocks.map((block) => quadsOf(block).map(([row]) => row));
}

test("after any history, with restarts and checkpoints, the snapshot equals a simple model and Oxigraph's reading of the files", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      const disk = new SimDisk({ seed: 1 });
      let store = await openOn(disk, { journalMax: 512 });
      const model = new Map<string, Set<string>>();
      for (const given of steps) {
        if (given === 'reopen') store = await openOn(disk, { journalMax: 512 });
        else if (given === 'maintain') await maintain(store, disk);
        else {
          const operations = given.map((make) => make());
          for (const each of operations) applyToModel(model, each, rowsOf);
          await commit(store, ...operations);
        }
      }
      const expected = [...model]
        .flatMap(([name, rows]) => [...rows].map((row) => `${row} <${name}> .`))
        .sort();
      assert.deepEqual(contentOf(store), expected);
      assert.deepEqual(await oracleLines(disk), expected);
      const sizes = store.opened().graphs.map(([name, info]) => [name, info?.size] as const);
      assert.deepEqual(new Map(sizes), new Map([...model].map(([name, rows]) => [name, rows.size])));
    }),
    { numRuns: 60 },
  );
});
