import type { ComparedStates } from '../../../src/ldpath/affected/changed-results.ts';
import { NetChangesBuilder } from '../../../src/snapshot/feed/net-changes-builder.ts';
import { earlierSnapshot } from '../../../src/snapshot/read/earlier-snapshot.ts';
import { openSnapshot, type SnapshotReader } from '../../../src/snapshot/read/reader.ts';
import { carryOut } from '../../../src/snapshot/runs/compact.ts';
import { REMOVED } from '../../../src/snapshot/runs/order.ts';
import { planUpdate } from '../../../src/snapshot/write/change-plan.ts';
import type { Changes } from '../../../src/snapshot/write/changes.ts';
import { SnapshotWriter } from '../../../src/snapshot/write/snapshot-writer.ts';
import type { TextQuad } from '../../contracts/path-graph.contract.ts';
import { blockOf } from '../../snapshot/blocks.ts';
import type { Commit, RandomHistory } from './histories.ts';

interface Recorded {
  readonly reader: SnapshotReader;
  readonly generation: number;
  /** The rows that led to this state, as the change feed has them. */
  readonly rows: Uint32Array;
  readonly texts: readonly { readonly quad: TextQuad; readonly removes: boolean }[];
}

/** Small limits, so that there are several runs, and unused terms are dropped soon. */
const limits = { log: 4, recent: 6, deltas: 12, deadTerms: 0 };

/** The states of a history, each with the rows that led to it. */
export class RecordedHistory {
  readonly #states: Recorded[] = [];
  readonly #writer = new SnapshotWriter(undefined, limits);

  constructor({ first, commits }: RandomHistory) {
    this.#commit({ cleared: [], removals: [], additions: first, compacts: true });
    for (const commit of commits) this.#commit(commit);
  }

  get last(): number {
    return this.#states.length - 1;
  }

  get present(): SnapshotReader {
    return this.reader(this.last);
  }

  /** The data at one commit, with the ids of then. */
  reader(at: number): SnapshotReader {
    return this.#states[at]!.reader;
  }

  /** Whether the ids have not changed since. */
  hasIdsOf(at: number): boolean {
    return this.#states[at]!.generation === this.#states[this.last]!.generation;
  }

  /** The state at one commit beside the last one, from the rows of the commits between them. */
  compared(from: number, rowsAs: 'ids' | 'texts'): ComparedStates {
    const builder = new NetChangesBuilder(this.present);
    for (const { rows, texts } of this.#states.slice(from + 1)) {
      if (rowsAs === 'ids') builder.addRows(rows);
      else for (const { quad, removes } of texts) builder.addTexts(quad, removes);
    }
    const changes = builder.finish();
    const earlier = earlierSnapshot(this.#writer.descriptor, changes, from);
    return { earlier, present: this.present, changes };
  }

  #commit({ cleared, removals, additions, compacts }: Commit): void {
    const writer = this.#writer;
    const names = cleared.map((name) => name.slice(1, -1));
    const operation = { removals: blockOf(removals), additions: blockOf(additions) };
    const changes = planUpdate(
      writer,
      { kind: 'update', cleared: names, ...operation, created: [], dropped: [] },
      '',
    );
    writer.apply(changes);
    const texts = textsOf(writer.reader(), changes);
    const rows = rowsOf(changes);
    writer.publish(this.#states.length + 1);
    if (compacts) {
      const compaction = writer.beginCompaction({ into: 'base' });
      writer.install(compaction, carryOut(compaction));
    }
    const { descriptor } = writer;
    const { generation } = descriptor.dictionary;
    this.#states.push({ reader: openSnapshot(descriptor), generation, rows, texts });
  }
}

function rowsOf({ additions, removals }: Changes): Uint32Array {
  const rows = Uint32Array.from([...removals, ...additions]);
  for (let i = 3; i < removals.length; i += 4) rows[i]! |= REMOVED;
  return rows;
}

function textsOf(reader: SnapshotReader, { additions, removals }: Changes): Recorded['texts'] {
  const quads = (rows: Uint32Array, removes: boolean) =>
    Array.from({ length: rows.length / 4 }, (_, i) => {
      const [subject, predicate, object, graph] = Array.from(rows.subarray(4 * i, 4 * i + 4), (id) =>
        reader.text(id),
      ) as [string, string, string, string];
      return { quad: { subject, predicate, object, graph }, removes };
    });
  return [...quads(removals, true), ...quads(additions, false)];
}
