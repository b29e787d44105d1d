import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { ChangedRows } from '../../../../src/changes/messages.ts';
import { hasId, ResultComparison } from '../../../../src/ldpath/affected/changed-results.ts';
import { compileAffected } from '../../../../src/ldpath/affected/program-plan.ts';
import { compileProgram } from '../../../../src/ldpath/compile/compiler.ts';
import { Evaluator } from '../../../../src/ldpath/evaluate/evaluation.ts';
import type { PreparedWindow, ProgramChangesJob } from '../../../../src/pool/program-changes.ts';
import { openWindow } from '../../../../src/pool/worker/feed/window-work.ts';
import type { DeclaredStartSet } from '../../../../src/rdf/model/resources/start-set.ts';
import type { SnapshotDescriptor } from '../../../../src/snapshot/descriptor.ts';
import { newChangeFeed } from '../../../../src/snapshot/feed/change-feed.ts';
import { REMOVED } from '../../../../src/snapshot/runs/order.ts';
import { planLoad } from '../../../../src/snapshot/write/change-plan.ts';
import { SnapshotWriter } from '../../../../src/snapshot/write/snapshot-writer.ts';
import { ex, quadsOf } from '../../../ldpath/affected/one-change.ts';
import { blockOf } from '../../../snapshot/blocks.ts';

const PROGRAM = 'v = <http://example.org/p> ;';

function snapshotOf(text: string): SnapshotDescriptor {
  const writer = new SnapshotWriter();
  writer.apply(planLoad(writer, 'urn:default', blockOf(quadsOf(text)), ''));
  return writer.publish(2);
}

/** Rows as the change log has them: first what was removed. */
function rowsOf(removed: string, added: string): ChangedRows {
  const texts: string[] = [];
  const rows: number[] = [];
  for (const [quads, mark] of [[quadsOf(removed), REMOVED] as const, [quadsOf(added), 0] as const]) {
    for (const { subject, predicate, object, graph } of quads) {
      for (const text of [subject, predicate, object, graph]) rows.push(texts.push(text) - 1);
      rows.push((rows.pop()! | mark) >>> 0);
    }
  }
  const ends = texts.map((_, i) => Buffer.byteLength(texts.slice(0, i + 1).join('')));
  return {
    bytes: Buffer.from(texts.join('')),
    offsets: Uint32Array.of(0, ...ends),
    rows: Uint32Array.from(rows),
  };
}

/** All changed results of a window, and what another job needs to find them. */
function compared(window: Omit<ProgramChangesJob, 'kind' | 'slot'>, starts: DeclaredStartSet) {
  const program = compileProgram(PROGRAM, { prefixes: {} });
  const parts = { program, plan: compileAffected(PROGRAM, starts, { prefixes: {} }) };
  const work = openWindow({ ...window, kind: 'program-changes', slot: 0 }, parts);
  if (typeof work === 'string') throw new Error(work);
  const { affected, states } = work;
  const comparison = new ResultComparison(parts, states, new Evaluator(), affected.oldMembers);
  const results = Array.from(affected.ids, (id) => {
    const changed = hasId(affected.incomparable, id) ? comparison.presentOf(id) : comparison.compare(id);
    if (!changed) return `${ex(states.changes.text(id))} unchanged`;
    const { uri, document } = changed;
    const shown =
      document && ('error' in document ? document.error.code : Buffer.from(document.result).toString());
    return `${ex(uri)} ${shown}`;
  });
  return { results, prepared: work.pack() };
}

const sets: readonly DeclaredStartSet[] = [
  { kind: 'subjects' },
  { kind: 'type', iri: 'http://example.org/T' },
  { kind: 'graph', iri: 'http://example.org/default' },
];

for (const starts of sets) {
  it(`a job goes on with a prepared window without its rows: ${starts.kind}`, () => {
    const snapshot = snapshotOf('a p y. a type T. b p x. b type T. c p c. d p e. d type T');
    const removed = 'a p x. a type U. gone p x. gone type T. ü p "ü". ü type T. c p z. d p f';
    const window = { snapshot, since: 1, position: 'x.1', feed: newChangeFeed(), next: 0, slow: false };
    const program = { selection: { source: PROGRAM, kind: 'program' as const }, starts };
    const rows = rowsOf(removed, 'a p y. a type T. c p c. d p e');
    const first = compared({ ...window, program, rows, prepared: null } as never, starts);
    const sent: PreparedWindow = structuredClone(first.prepared);
    const second = compared({ ...window, program, rows: null, prepared: sent } as never, starts);
    assert.deepEqual(second.results, first.results);
    assert.ok(first.results.includes('gone undefined'), first.results.join());
    assert.ok(first.results.includes('ü undefined'), first.results.join());
  });
}
