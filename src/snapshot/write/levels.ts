import { ColumnScan } from '../read/scans.ts';
import { buildBase } from '../runs/base-builder.ts';
import type { BaseCounts, BaseRun } from '../runs/base-run.ts';
import { ChangeLog, LOG_CAPACITY } from '../runs/change-log.ts';
import { buildDelta, mergeDeltas, mergeRuns } from '../runs/delta-builder.ts';
import type { DeltaRun } from '../runs/delta-run.ts';
import { REMOVED } from '../runs/order.ts';
import { sortQuads } from '../runs/sorted-quads.ts';
import type { Changes } from './changes.ts';

/** Limits in quads, beyond which quads move to the next level. */
export interface LevelLimits {
  /** The most quads in the log; at most `LOG_CAPACITY`. */
  readonly log: number;
  /** The most quads in the recent delta before it is sealed. */
  readonly recent: number;
  /** The most quads in all deltas, if an eighth of the base run is less. */
  readonly deltas: number;
  /** The least number of unused terms that are dropped; default 2^16. */
  readonly deadTerms?: number;
}

/** The limits of the server. */
export const defaultLimits: LevelLimits = { log: LOG_CAPACITY, recent: 16 * 1024, deltas: 4 * 1024 };

const BASE_SHARE = 1 / 8;

/**
 * In its own thread the writer does not merge deltas into a run larger than this many recent
 * deltas.
 */
const MERGED_AT_ONCE = 8;

/** If there are more sealed runs, another thread should merge some of them. */
const MOST_SEALED = 8;

/** The most terms that one quad may add. */
const TERMS_A_QUAD = 4;

/**
 * The runs of a state, between which the writer moves quads: log, recent, sealed, base. None of
 * these steps takes longer as the data grow: large runs are merged by other threads (`Compaction`),
 * or were submitted as runs.
 */
export interface Levels {
  readonly base: BaseRun;
  /**
   * Oldest first. Only neighbours may be merged: between two states a quad is added or removed at
   * most once, and a run has room for no more.
   */
  readonly sealed: readonly DeltaRun[];
  readonly recent: DeltaRun | undefined;
  readonly log: ChangeLog;
}

/** Returns a state without changes since its base run. */
export function levelsOf(base: BaseRun): Levels {
  return { base, sealed: [], recent: undefined, log: ChangeLog.empty() };
}

/** Returns the number of changed quads beyond which a new base run should be built. */
export function compactionLimit(base: BaseRun, limits: LevelLimits): number {
  return Math.max(limits.deltas, base.quads * BASE_SHARE);
}

/** Returns the existing deltas, oldest first. */
export function deltasOf({ sealed, recent }: Levels): readonly DeltaRun[] {
  return recent === undefined ? sealed : [...sealed, recent];
}

/** The limits for merging. */
export interface Sealing {
  readonly limits: LevelLimits;
  /** Number of sealed runs, from the oldest on, that another thread is merging. */
  readonly fixed: number;
}

/**
 * Appends to the log in place if there is room; otherwise moves the log's quads and these into the
 * deltas.
 */
export function addChanges(levels: Levels, changes: Changes, sealing: Sealing): Levels {
  const { limits } = sealing;
  const count = countOf(changes);
  if (levels.log.count + count <= limits.log) {
    append(levels.log, changes.removals, REMOVED);
    append(levels.log, changes.additions, 0);
    return levels;
  }
  if (count > limits.recent)
    return addRun(levels, buildDelta(sortQuads(rowsOf(undefined, changes))), sealing);
  const recent = mergeDeltas(levels.recent, buildDelta(sortQuads(rowsOf(levels.log, changes))));
  const merged = { ...levels, recent, log: ChangeLog.empty() };
  return recent !== undefined && recent.quads > limits.recent ? sealRecent(merged, sealing) : merged;
}

/** Adds a run that is newer than all others. */
export function addRun(levels: Levels, run: DeltaRun | undefined, sealing: Sealing): Levels {
  const { recent, log } = levels;
  const newest = log.count === 0 ? recent : mergeDeltas(recent, buildDelta(sortQuads(rowsOf(log))));
  const older = sealRecent({ ...levels, recent: newest, log: ChangeLog.empty() }, sealing);
  return sealRecent({ ...older, recent: run }, sealing);
}

/** Seals all changes since the base run, and merges nothing. */
export function sealAll(levels: Levels): Levels {
  const newest = buildDelta(sortQuads(rowsOf(levels.log)));
  const sealed = newest === undefined ? deltasOf(levels) : [...deltasOf(levels), newest];
  return { ...levelsOf(levels.base), sealed };
}

/**
 * Builds a base run if there was hardly anything before a large change: that takes no longer than
 * building a delta. Otherwise returns undefined. `after`: the numbers of quads and terms with the
 * change.
 */
export function firstBase(
  levels: Levels,
  changes: Changes,
  after: Pick<BaseCounts, 'quads' | 'terms'>,
  limits: LevelLimits,
): Levels | undefined {
  const { base, log } = levels;
  const count = countOf(changes);
  if (base.quads > 0 || deltasOf(levels).length > 0) return undefined;
  if (count <= limits.deltas || after.terms > 2 * TERMS_A_QUAD * count) return undefined;
  const scan = new ColumnScan().reset(sortQuads(rowsOf(log, changes)));
  return levelsOf(buildBase(scan, after.quads, after.terms));
}

/** Runs that another thread should merge: neighbours, or all of them with the base run. */
export type WantedMerge = { readonly into: 'base' } | { readonly into: 'run'; readonly from: number };

export function wantedMerge(levels: Levels, limits: LevelLimits): WantedMerge | undefined {
  if (quadsIn(deltasOf(levels)) > compactionLimit(levels.base, limits)) return { into: 'base' };
  return wantedRun(levels);
}

/** Chooses the newest runs, since they are the smallest. */
export function wantedRun({ sealed }: Levels): WantedMerge | undefined {
  if (sealed.length <= MOST_SEALED) return undefined;
  let newer = quadsIn(sealed);
  const from = sealed.findIndex((run) => {
    newer -= run.quads;
    return run.quads <= newer;
  });
  return { into: 'run', from: from < 0 ? sealed.length >> 1 : Math.min(from, sealed.length - 2) };
}

/** Returns changes as rows of four words, the last with `REMOVED`, after those of a log. */
function rowsOf(log: ChangeLog | undefined, changes?: Changes): Uint32Array {
  const removals = changes?.removals ?? [];
  const additions = changes?.additions ?? [];
  const start = 4 * (log?.count ?? 0);
  const rows = new Uint32Array(start + removals.length + additions.length);
  log?.rows(rows);
  rows.set(removals, start);
  for (let i = start + 3; i < start + removals.length; i += 4) rows[i]! |= REMOVED;
  rows.set(additions, start + removals.length);
  return rows;
}

/**
 * Moves the recent delta to the sealed ones, and merges the newest of them while that is little
 * work.
 */
function sealRecent(levels: Levels, { limits, fixed }: Sealing): Levels {
  const { recent } = levels;
  if (recent === undefined) return levels;
  const sealed = [...levels.sealed, recent];
  let from = sealed.length - 1;
  let quads = recent.quads;
  for (; from > fixed; from--) {
    const { quads: next } = sealed[from - 1]!;
    if (next > quads || quads + next > MERGED_AT_ONCE * limits.recent) break;
    quads += next;
  }
  const merged = mergeRuns(sealed.slice(from));
  const older = sealed.slice(0, from);
  return { ...levels, sealed: merged === undefined ? older : [...older, merged], recent: undefined };
}

function append(log: ChangeLog, rows: Uint32Array, mark: 0 | typeof REMOVED): void {
  for (let i = 0; i < rows.length; i += 4) {
    log.append(rows[i]!, rows[i + 1]!, rows[i + 2]!, rows[i + 3]! | mark);
  }
}

function countOf({ additions, removals }: Changes): number {
  return (additions.length + removals.length) / 4;
}

/** Returns the number of quads in all runs together. */
export function quadsIn(runs: readonly DeltaRun[]): number {
  return runs.reduce((sum, run) => sum + run.quads, 0);
}
