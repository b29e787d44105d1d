import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ldp } from '../../../src/ldp/model/vocabulary.ts';
import { LDP_ROW } from '../../../src/ldp/registry.ts';
import { checkLdp } from '../../../src/ldp/store/consistency-check.ts';
import { LDP_GRAPH, SYSTEM_GRAPH } from '../../../src/snapshot/graphs/system-graph.ts';
import { planMerge } from '../../../src/snapshot/write/change-plan.ts';
import { SnapshotWriter } from '../../../src/snapshot/write/snapshot-writer.ts';
import { blockOf } from '../../support/blocks.ts';
import { ROOT } from '../../support/ldp-store.ts';

/** Resources with their rows, and pairs of what contains and what is contained. */
function faultsOf(rows: Record<string, string>, contained: readonly (readonly [string, string])[]): string[] {
  const writer = new SnapshotWriter();
  const add = (graph: string, lines: readonly string[]) =>
    writer.apply(planMerge(writer, graph, blockOf(lines.join('\n')), 'b'));
  add(
    SYSTEM_GRAPH,
    Object.entries(rows).map(([uri, row]) => `<${uri}> ${LDP_ROW} "${row}" .`),
  );
  add(
    LDP_GRAPH,
    contained.map(([parent, child]) => `<${parent}> <${ldp.contains}> <${child}> .`),
  );
  return checkLdp(writer.reader());
}

const A = `${ROOT}/a`;
const B = `${ROOT}/b`;
const rows = { [ROOT]: 'basic 1 0', [A]: 'basic 2 0' };

test('a consistent space with a binary and a tombstone has no errors', () => {
  const all = { ...rows, [B]: 'binary 3 0', [`${B}.meta`]: 'description 3 0', [`${A}/x`]: 'gone' };
  assert.deepEqual(
    faultsOf(all, [
      [ROOT, A],
      [ROOT, B],
    ]),
    [],
  );
  assert.deepEqual(faultsOf({}, []), []);
});

test('a live resource in no container or in a wrong one is an error', () => {
  assert.deepEqual(faultsOf(rows, []), [`<${A}> is not in a container`]);
  const twice = faultsOf({ ...rows, [B]: 'basic 3 0' }, [
    [ROOT, A],
    [ROOT, B],
    [B, A],
  ]);
  assert.deepEqual(twice, [`<${A}> is contained in <${ROOT}>, <${B}>`]);
});

test('a container with a deleted or unknown member is an error', () => {
  const faults = faultsOf({ ...rows, [B]: 'gone' }, [
    [ROOT, A],
    [ROOT, B],
    [ROOT, `${ROOT}/none`],
  ]);
  assert.deepEqual(faults, [
    `<${ROOT}> contains <${B}>, which was deleted`,
    `<${ROOT}> contains <${ROOT}/none>, which must not be in a container`,
  ]);
});
