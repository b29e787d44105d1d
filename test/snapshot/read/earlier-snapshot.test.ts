import { NetChangesBuilder } from '../../../src/snapshot/feed/net-changes-builder.ts';
import { earlierSnapshot } from '../../../src/snapshot/read/earlier-snapshot.ts';
import { openSnapshot, type SnapshotReader } from '../../../src/snapshot/read/reader.ts';
import { REMOVED } from '../../../src/snapshot/runs/order.ts';
import { planLoad } from '../../../src/snapshot/write/change-plan.ts';
import type { LevelLimits } from '../../../src/snapshot/write/levels.ts';
import { SnapshotWriter } from '../../../src/snapshot/write/snapshot-writer.ts';
import { pathGraphContract, type TextQuad } from '../../contracts/path-graph.contract.ts';
import { blockOf } from '../blocks.ts';

const others: readonly TextQuad[] = ['<urn:a>', '<urn:b>', '<urn:later>'].flatMap((subject) =>
  ['<urn:g1>', '<urn:g2>'].map((graph) => ({ subject, predicate: '<urn:p>', object: '<urn:c>', graph })),
);

/** Half of the quads are removed again, and others are added; then the snapshot before that. */
function before(limits: LevelLimits): (quads: readonly TextQuad[]) => SnapshotReader {
  return (quads) => {
    const writer = new SnapshotWriter(undefined, limits);
    const { additions } = planLoad(writer, 'urn:g1', blockOf(quads), '');
    writer.apply({ additions, removals: new Uint32Array(0) });
    const { additions: later } = planLoad(writer, 'urn:g1', blockOf(others), '');
    const removals = additions.slice(4 * (additions.length >> 3));
    writer.apply({ additions: later, removals });
    const descriptor = writer.publish(2);
    const builder = new NetChangesBuilder(openSnapshot(descriptor));
    builder.addRows(removals.map((word, i) => (i % 4 === 3 ? (word | REMOVED) >>> 0 : word)));
    builder.addRows(later);
    return earlierSnapshot(descriptor, builder.finish(), 1);
  };
}

pathGraphContract('The snapshot before changes in the log', before({ log: 500, recent: 500, deltas: 1000 }));
pathGraphContract('The snapshot before changes in deltas', before({ log: 0, recent: 5, deltas: 1000 }));
pathGraphContract('The snapshot before changes in the base run', before({ log: 0, recent: 0, deltas: 0 }));
