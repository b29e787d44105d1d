import type { BaseRun } from './base-run.ts';
import { ChangeLog, LOG_CAPACITY } from './change-log.ts';
import type { Changes } from './changes.ts';
import { buildDelta, mergeDeltas } from './delta-builder.ts';
import type { DeltaRun } from './delta-run.ts';
import { REMOVED } from './order.ts';
import { sortQuads } from './sorted-quads.ts';

/** When quads move on, in quads. */
export interface LevelLimits {
  /** What the log takes; at most `LOG_CAPACITY`. */
  readonly log: number;
  /** What the recent delta takes before it is merged into the older one. */
  readonly recent: number;
  /** What all deltas may hold where an eighth of the base run is less. */
  readonly deltas: number;
}

/** What the server uses. */
export const defaultLimits: LevelLimits = { log: LOG_CAPACITY, recent: 16 * 1024, deltas: 4 * 1024 };

const BASE_SHARE = 1 / 8;

/** The runs of a state, as the writer moves quads between them: log, recent, older, base. */
export interface Levels {
  readonly base: BaseRun;
  /** What a compaction under way is putting into the next base run. */
  readonly frozen: DeltaRun | undefined;
  readonly older: DeltaRun | undefined;
  readonly recent: DeltaRun | undefined;
  readonly log: ChangeLog;
}

/** A state of which nothing has changed since its base run, or its frozen delta. */
export function levelsOf(base: BaseRun, frozen?: DeltaRun): Levels {
  return { base, frozen, older: undefined, recent: undefined, log: ChangeLog.empty() };
}

/** Changes beyond this many quads, in one commit or in the deltas together, want a new base run. */
export function compactionLimit(base: BaseRun, limits: LevelLimits): number {
  return Math.max(limits.deltas, base.quads * BASE_SHARE);
}

/** Those that there are, oldest first. */
export function deltasOf({ frozen, older, recent }: Levels): DeltaRun[] {
  return [frozen, older, recent].filter((run) => run !== undefined);
}

/** Appends to the log in place when there is room, else moves the log's quads and these into the deltas. */
export function addChanges(levels: Levels, changes: Changes, limits: LevelLimits): Levels {
  const count = (changes.additions.length + changes.removals.length) / 4;
  if (levels.log.count + count > limits.log) return mergeDown(levels, rowsOf(levels.log, changes), limits);
  append(levels.log, changes.removals, true);
  append(levels.log, changes.additions, false);
  return levels;
}

/** Puts a run beneath nothing but the log, whose changes are older. */
export function addDelta(levels: Levels, run: DeltaRun): Levels {
  const { recent, log, ...others } = mergeDown(levels, rowsOf(levels.log), { log: 0, recent: 0, deltas: 0 });
  return { ...others, older: mergeDeltas(others.older, run), recent, log };
}

/** All changes in one delta. */
export function gather({ frozen, older, recent, log }: Levels): DeltaRun | undefined {
  const newest = buildDelta(sortQuads(rowsOf(log)));
  return mergeDeltas(mergeDeltas(frozen, older), mergeDeltas(recent, newest));
}

/** A log of the first `count` entries of another, in memory of its own. */
export function copyLog(log: ChangeLog, count: number): ChangeLog {
  const copy = ChangeLog.empty();
  for (let entry = 1; entry <= count; entry++) {
    copy.append(log.id(entry, 0), log.id(entry, 1), log.id(entry, 2), log.id(entry, 3), log.removes(entry));
  }
  return copy;
}

/** Changes as rows of four words, the last with `REMOVED`, after those of a log. */
export function rowsOf(log: ChangeLog, changes?: Changes): Uint32Array {
  const removals = changes?.removals ?? [];
  const additions = changes?.additions ?? [];
  const rows = new Uint32Array(4 * log.count + removals.length + additions.length);
  log.rows(rows);
  rows.set(removals, 4 * log.count);
  for (let i = 4 * log.count + 3; i < 4 * log.count + removals.length; i += 4) rows[i]! |= REMOVED;
  rows.set(additions, 4 * log.count + removals.length);
  return rows;
}

function mergeDown(levels: Levels, rows: Uint32Array, limits: LevelLimits): Levels {
  const recent = mergeDeltas(levels.recent, buildDelta(sortQuads(rows)));
  const log = ChangeLog.empty();
  if (recent === undefined || recent.quads <= limits.recent) return { ...levels, recent, log };
  return { ...levels, older: mergeDeltas(levels.older, recent), recent: undefined, log };
}

function append(log: ChangeLog, rows: Uint32Array, removed: boolean): void {
  for (let i = 0; i < rows.length; i += 4) {
    log.append(rows[i]!, rows[i + 1]!, rows[i + 2]!, rows[i + 3]!, removed);
  }
}
