import type { ChangedRows } from '../../../changes/messages.ts';
import type { ComparedStates } from '../../../ldpath/affected/changed-results.ts';
import type { NetChanges } from '../../../rdf/model/changes/net-changes.ts';
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
  readonly #job: ProgramChangesJob;
  #back: StepBack | undefined;
  #earlier: SnapshotReader | undefined;

  /** Returns undefined if the job needs rows. */
  static of(job: ProgramChangesJob): WindowStates | undefined {
    const { snapshot, visible, rows } = job;
    const present = openSnapshot(snapshot).visibleTo(visible);
    const builder = new NetChangesBuilder(present);
    if (rows) addTexts(builder, rows);
    else if (!addFromRing(builder, job, present)) return undefined;
    return new WindowStates(present, builder.finish(), job);
  }

  private constructor(present: SnapshotReader, changes: NetChanges, job: ProgramChangesJob) {
    this.present = present;
    this.changes = changes;
    this.#job = job;
  }

  get earlier(): SnapshotReader {
    this.#earlier ??= openEarlier(this.#job.snapshot, this.back).visibleTo(this.#job.visible);
    return this.#earlier;
  }

  /** How the earlier state is made, for other threads. */
  get back(): StepBack {
    this.#back ??= stepBack(this.#job.snapshot, this.changes, this.#job.since);
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
  { feed, since, visible }: ProgramChangesJob,
  present: SnapshotReader,
): boolean {
  const { sequence, terms } = present;
  const reader = new ChangeFeedReader(feed, since, terms.generation);
  let count = 0;
  while (reader.sequence < sequence) {
    const rows = reader.next();
    if (rows === undefined || rows === 'lost') return false;
    // Hidden rows must not decide how the others are read, which may make a difference.
    const shown = visible ? shownRows(rows, present) : rows;
    count += shown.length / 4;
    if (count > FEW_WINDOW_ROWS) return false;
    builder.addRows(shown);
  }
  return true;
}

/** What is hidden is no change for the client. */
function shownRows(rows: Uint32Array, present: SnapshotReader): Uint32Array {
  const shown = new Uint32Array(rows.length);
  let to = 0;
  for (let from = 0; from < rows.length; from += 4) {
    if (!present.sees(rows[from + 3]! & ID_MASK)) continue;
    for (let column = 0; column < 4; column++) shown[to++] = rows[from + column]!;
  }
  return shown.subarray(0, to);
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
