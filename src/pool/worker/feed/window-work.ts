import {
  affectedStarts,
  placeOf,
  type StatePair,
  type StoredProgramParts,
} from '../../../ldpath/affected/changed-results.ts';
import { openEarlier } from '../../../snapshot/read/earlier-snapshot.ts';
import { openSnapshot, type SnapshotReader } from '../../../snapshot/read/reader.ts';
import type { AffectedIds, PreparedWindow, ProgramChangesJob } from '../../program-changes.ts';
import { shareOrCopy } from '../transfer.ts';
import { everyStart } from './every-start.ts';
import { packTerms, termAt } from './term-list.ts';
import { WindowStates } from './window-states.ts';

/** The most terms on the way back to affected start resources. */
const MOST_TERMS = 200_000;

/** What a job compares. */
export interface WindowWork {
  readonly states: StatePair & { readonly present: SnapshotReader };
  readonly affected: AffectedIds;
  /** For the jobs that go on with the window. */
  pack(): PreparedWindow;
}

/** Finds what the window has to compare, or takes what an earlier job has found. */
export function openWindow(
  job: ProgramChangesJob,
  parts: StoredProgramParts,
): WindowWork | 'rows-needed' | 'too-many' {
  return job.prepared ? resume(job, job.prepared) : prepare(job, parts);
}

function prepare(job: ProgramChangesJob, parts: StoredProgramParts): WindowWork | 'rows-needed' | 'too-many' {
  const states = WindowStates.of(job);
  if (!states) return 'rows-needed';
  const affected = affectedIds(parts, states);
  if (affected === 'too-many') return 'too-many';
  return { states, affected, pack: () => pack(states, affected) };
}

function affectedIds(parts: StoredProgramParts, states: WindowStates): AffectedIds | 'too-many' {
  if (states.areEqual) {
    const none = new Uint32Array(0);
    return { ids: none, incomparable: none, oldMembers: none };
  }
  const affected = affectedStarts(parts, states, MOST_TERMS);
  return affected === 'too-many' ? everyStart(parts.plan, states) : affected;
}

function pack(states: WindowStates, { ids, incomparable, oldMembers }: AffectedIds): PreparedWindow {
  const { changes, back } = states;
  const dropped = ids.subarray(ids.findLastIndex((id) => id <= changes.termCount) + 1);
  return {
    earlier: back,
    affected: {
      ids: shareOrCopy(ids),
      incomparable: shareOrCopy(incomparable),
      oldMembers: shareOrCopy(oldMembers),
    },
    dropped: packTerms(Array.from(dropped, (id) => changes.text(id))),
  };
}

function resume({ snapshot, visible }: ProgramChangesJob, prepared: PreparedWindow): WindowWork {
  const { affected, dropped } = prepared;
  const present = openSnapshot(snapshot).visibleTo(visible);
  const { terms } = present;
  const { termCount } = terms;
  const firstDropped = affected.ids.length - dropped.count;
  const changes = {
    termCount,
    // No quad of either state has a term that the dictionary has dropped.
    find: (text: string) => terms.find(text),
    text: (id: number) =>
      id <= termCount ? terms.text(id) : termAt(dropped, placeOf(affected.ids, id) - firstDropped),
  };
  const earlier = openEarlier(snapshot, prepared.earlier).visibleTo(visible);
  const states = { present, earlier, changes };
  return { states, affected, pack: () => prepared };
}
