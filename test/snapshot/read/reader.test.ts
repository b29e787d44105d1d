import { openSnapshot, type SnapshotReader } from '../../../src/snapshot/read/reader.ts';
import { carryOut } from '../../../src/snapshot/runs/compact.ts';
import { planLoad } from '../../../src/snapshot/write/change-plan.ts';
import type { Changes } from '../../../src/snapshot/write/changes.ts';
import { defaultLimits, type LevelLimits } from '../../../src/snapshot/write/levels.ts';
import { SnapshotWriter } from '../../../src/snapshot/write/snapshot-writer.ts';
import { pathGraphContract, type TextQuad } from '../../contracts/path-graph.contract.ts';
import { blockOf } from '../blocks.ts';

/** Loads the quads in two halves, so that several runs hold them. */
function load(writer: SnapshotWriter, quads: readonly TextQuad[]): void {
  const middle = quads.length >> 1;
  for (const part of [quads.slice(0, middle), quads.slice(middle)]) {
    const changes: Changes = planLoad(writer, 'urn:g1', blockOf(part), 'x');
    writer.apply(changes);
  }
}

function readerWith(limits: LevelLimits): (quads: readonly TextQuad[]) => SnapshotReader {
  return (quads) => {
    const writer = new SnapshotWriter(undefined, limits);
    load(writer, quads);
    return openSnapshot(writer.publish(1));
  };
}

pathGraphContract('A snapshot in the change log', readerWith(defaultLimits));
pathGraphContract('A snapshot in deltas', readerWith({ log: 0, recent: 10, deltas: 1000 }));
pathGraphContract('A snapshot in base, deltas and log', readerWith({ log: 5, recent: 8, deltas: 20 }));

pathGraphContract('A compacted snapshot', (quads) => {
  const writer = new SnapshotWriter();
  load(writer, quads);
  writer.publish(1);
  const begun = writer.beginCompaction();
  writer.install(begun, carryOut(begun));
  return openSnapshot(writer.descriptor);
});
