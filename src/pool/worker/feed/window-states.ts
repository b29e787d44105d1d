import type { ChangedRows } from '../../../changes/messages.ts';
import type { ComparedStates } from '../../../ldpath/affected/changed-results.ts';
import type { NetChanges } from '../../../rdf/model/changes/net-changes.ts';
import type { SnapshotDescriptor } from '../../../snapshot/descriptor.ts';
import { ChangeFeedReader } from '../../../snapshot/feed/change-feed.ts';
import { NetChangesBuilder } from '../../../snapshot/feed/net-changes-builder.ts';
import { openEarlier, type StepBack, stepBack } from '../../../snapshot/read/earlier-snapshot.ts';
import { openSnapshot, type SnapshotReader } from '../../../snapshot/read/reader.ts';
import { ID_MASK, REMOVED } from '../../../snapshot/runs/order.ts';
import { FEW_WINDOW_ROWS, type ProgramChangesJob } from '../../program-changes.ts';

/** The two states of a window. The earlier one is built when it is first needed. */
export class WindowStates implements ComparedStates {
  readonly present: SnapshotReader;
  readonly changes: NetChanges;
  readonly #descriptor: SnapshotDescriptor;
  readonly #since: number;
  #back: StepBack | undefined;
  #earlier: SnapshotReader | undefined;

  /** Returns undefined if the job needs rows. */
  static of(job: ProgramChangesJob): WindowStates | undefined {
    const { snapshot, since, feed, rows } = job;
    const present = openSnapshot(snapshot);
    const builder = new NetChangesBuilder(present);
    if (rows) addTexts(builder, rows);
    else if (!addFromRing(builder, feed, since, present)) return undefined;
    return new WindowStates(present, builder.finish(), snapshot, since);
  }

  private constructor(
    present: SnapshotReader,
    changes: NetChanges,
    descriptor: SnapshotDescriptor,
    since: number,
  ) {
    this.present = present;
    this.changes = changes;
    this.#descriptor = descriptor;
    this.#since = since;
  }

  get earlier(): SnapshotReader {
    this.#earlier ??= openEarlier(this.#descriptor, this.back);
    return this.#earlier;
  }

  /** How the earlier state is made, for other threads. */
  get back(): StepBack {
    this.#back ??= stepBack(this.#descriptor, this.changes, this.#since);
    return this.#back;
  }

  /** Whether the commits changed nothing together. */
  get areEqual(): boolean {
    const { added, removed, unsure } = this.changes;
    return added.length + removed.length + unsure.length === 0;
  }
}

/** Returns false if the ring does not have all commits, or if they have many rows. */
function addFromRing(
  builder: NetChangesBuilder,
  feed: SharedArrayBuffer,
  since: number,
  { sequence, terms }: SnapshotReader,
): boolean {
  const reader = new ChangeFeedReader(feed, since, terms.generation);
  let count = 0;
  while (reader.sequence < sequence) {
    const rows = reader.next();
    if (rows === undefined || rows === 'lost') return false;
    count += rows.length / 4;
    if (count > FEW_WINDOW_ROWS) return false;
    builder.addRows(rows);
  }
  return true;
}

/** The text of a term is dropped as soon as its id is known: texts may be large. */
export function addTexts(builder: NetChangesBuilder, { bytes, offsets, rows }: ChangedRows): void {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const ids = new Uint32Array(offsets.length - 1);
  for (let i = 0; i < ids.length; i++) {
    ids[i] = builder.idOf(all.toString('utf8', offsets[i]!, offsets[i + 1]!));
  }
  builder.addRows(
    rows.map((term, i) => (i % 4 === 3 ? ids[term & ID_MASK]! | (term & REMOVED) : ids[term]!)),
  );
}
