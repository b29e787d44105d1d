import type { Caller } from '../../base/caller.ts';
import { visiblePatterns } from '../../base/graph-access.ts';
import { SharedWork } from '../../base/shared-work.ts';
import type { ChangeHistory } from '../../changes/main/change-history.ts';
import type { ChangedRows } from '../../changes/messages.ts';
import { type ErrorCode, type ErrorData, fromErrorData, type Result } from '../../errors.ts';
import type { Selection } from '../../pool/evaluation-request.ts';
import type { Pool } from '../../pool/pool.ts';
import {
  type ChangedLines,
  MOST_WINDOW_QUADS,
  type PreparedWindow,
  type ProgramChangesOutput,
} from '../../pool/program-changes.ts';
import type { TaskInfo } from '../../pool/tasks/map.ts';
import type { IriPatterns } from '../../rdf/model/resources/iri-patterns.ts';
import type { SnapshotDescriptor } from '../../snapshot/descriptor.ts';
import type { StoreClient } from '../../store/main/client.ts';
import type { StoredProgram, StoredPrograms } from '../ldpath/stored-programs.ts';

/**
 * Jobs that are given up: a thread was terminated because of them, the operator ended them, or a
 * prefix of the program is not known any more.
 */
const givenUp: ReadonlySet<ErrorCode> = new Set([
  'time-limit',
  'budget-exceeded',
  'cancelled',
  'unknown-prefix',
]);

export interface WindowJobParts {
  readonly store: Pick<StoreClient, 'changeFeed'>;
  readonly pool: Pick<Pool, 'programChanges'>;
  readonly programs: Pick<StoredPrograms, 'position'>;
}

/** A program whose results are compared. */
export interface FollowedProgram {
  readonly program: StoredProgram;
  /** The program in the format of the results. */
  readonly selection: Selection;
}

/** Where a window goes on. */
export interface WindowPlace {
  /** Number of the earlier commit. */
  readonly since: number;
  readonly snapshot: SnapshotDescriptor;
  readonly prepared: PreparedWindow | null;
  readonly next: number;
  readonly slow: boolean;
  readonly info: TaskInfo;
}

/** Why there are no lines: all results must be read again, or the pool has no room. */
export type NotCompared = { readonly kind: 'resync' } | { readonly kind: 'later' };

/**
 * Runs the jobs that compare results: one for all streams that are at the same place, and whose
 * clients see the same graphs.
 */
export class WindowJobs {
  readonly #parts: WindowJobParts;
  readonly #running = new SharedWork<ChangedLines | NotCompared>();
  /** The end of the last job with many rows. */
  #large: Promise<unknown> = Promise.resolve();

  constructor(parts: WindowJobParts) {
    this.#parts = parts;
  }

  /** Rejects with `position-gone`, `data-damaged`, `shutting-down`. */
  run(
    followed: FollowedProgram,
    place: WindowPlace,
    history: Pick<ChangeHistory, 'rowsBetween'>,
    caller: Caller,
  ): Promise<ChangedLines | NotCompared> {
    const visible = visiblePatterns(caller);
    return this.#running.join(keyOf(followed, place, visible), caller, (shared) => {
      let isAborted = false;
      shared.onAbort(() => {
        isAborted = true;
      });
      const job = (rows: ChangedRows | null) => this.#submit(followed, place, rows, shared);
      const large = async () => {
        if (isAborted) return resync;
        const between = { from: place.since, to: place.snapshot.sequence, visible };
        const rows = await history.rowsBetween({ ...between, maxQuads: MOST_WINDOW_QUADS });
        if (rows === 'too-many' || isAborted) return resync;
        return outcomeOf(await job(rows));
      };
      return this.#compare(job, large);
    });
  }

  async #compare(
    job: (rows: null) => Promise<Result<ProgramChangesOutput>>,
    large: () => Promise<ChangedLines | NotCompared>,
  ): Promise<ChangedLines | NotCompared> {
    const result = await job(null);
    if (!result.ok || result.value.kind !== 'rows-needed') return outcomeOf(result);
    // One at a time, since each may need much memory.
    const turn = this.#large.then(large);
    this.#large = turn.catch(() => {});
    return turn;
  }

  #submit(
    { program, selection }: FollowedProgram,
    { since, snapshot, prepared, next, slow, info }: WindowPlace,
    rows: ChangedRows | null,
    caller: Caller,
  ): Promise<Result<ProgramChangesOutput>> {
    const { store, pool, programs } = this.#parts;
    const request = {
      snapshot,
      program: { selection, starts: program.starts ?? null },
      since,
      position: programs.position(since),
      feed: store.changeFeed,
      rows,
      prepared,
      next,
      slow,
    };
    return pool.programChanges(request, info, caller);
  }
}

const resync = { kind: 'resync' } as const;

function outcomeOf(result: Result<ProgramChangesOutput>): ChangedLines | NotCompared {
  if (!result.ok) return notCompared(result.error);
  return result.value.kind === 'lines' ? result.value : resync;
}

function notCompared(error: ErrorData): NotCompared {
  if (givenUp.has(error.code)) return resync;
  if (error.code === 'overloaded') return { kind: 'later' };
  throw fromErrorData(error);
}

/** Jobs with equal keys have equal results. */
function keyOf(
  { program, selection }: FollowedProgram,
  place: WindowPlace,
  visible: IriPatterns | undefined,
): string {
  const { since, snapshot, next, slow } = place;
  const { name, commit } = program;
  return JSON.stringify([name, commit, selection.format, since, snapshot.sequence, next, slow, visible?.key]);
}
