import { setTimeout as delay } from 'node:timers/promises';
import { type Caller, withAbort } from '../../base/caller.ts';
import type { ChangedRows } from '../../changes/messages.ts';
import { AppError, type ErrorCode, type ErrorData, fromErrorData } from '../../errors.ts';
import type { Selection } from '../../pool/evaluation-request.ts';
import type { Pool } from '../../pool/pool.ts';
import {
  type AffectedIds,
  type ChangedLines,
  type FailedResult,
  MOST_WINDOW_ROWS,
} from '../../pool/program-changes.ts';
import { newIdentity, type TaskInfo } from '../../pool/tasks/map.ts';
import type { SnapshotDescriptor } from '../../snapshot/descriptor.ts';
import type { StoreClient } from '../../store/main/client.ts';
import type { StoredProgram, StoredPrograms } from '../ldpath/stored-programs.ts';
import type { StreamSource } from './page-stream.ts';

/** The most thread time for one window, in milliseconds. */
const MOST_WINDOW_MS = 120_000;
/** How often a slow start resource is begun again after it was preempted. */
const MOST_PREEMPTIONS = 20;
/** A window whose results nobody takes for this long is begun anew: it holds a snapshot. */
const IDLE_WINDOW_MS = 30_000;
/** When the pool has no room for a job, in milliseconds. */
const OVERLOADED_MS = 1000;
/** The jobs of these are given up: a thread was terminated because of them. */
const terminated: ReadonlySet<ErrorCode> = new Set(['time-limit', 'budget-exceeded']);
const noBytes = new Uint8Array(0);

/** Some changed results of a program. */
export interface ProgramPart {
  /** Lines of JSON. */
  readonly bytes: Uint8Array;
  readonly errors: readonly FailedResult[];
  /** Set with the last part of a window: the commit up to which all changes have been sent. */
  readonly reached?: number;
  /**
   * Set with the last part of the stream: the changes are not known. The commit from which a client
   * can go on that reads all results again.
   */
  readonly resync?: number;
}

export interface ProgramStreamParts {
  readonly store: Pick<StoreClient, 'snapshot' | 'changeFeed'>;
  readonly pool: Pick<Pool, 'programChanges'>;
  readonly programs: Pick<StoredPrograms, 'get' | 'position'>;
}

export interface FollowedProgram {
  readonly program: StoredProgram;
  /** The program in the format of the results. */
  readonly selection: Selection;
  readonly since: number;
  readonly caller: Caller;
}

/** Why there are no lines: all results must be read again, or the pool has no room. */
type NotCompared = { readonly kind: 'resync' } | { readonly kind: 'later' };

/** All commits after one, up to a snapshot, which are compared at once. */
interface Window {
  readonly snapshot: SnapshotDescriptor;
  readonly info: TaskInfo;
  rows: ChangedRows | null;
  affected: AffectedIds | null;
  next: number;
  slow: boolean;
  preemptions: number;
  milliseconds: number;
}

/**
 * The changed results of a stored program, window by window, as fast as they are asked for. Its
 * work is done in the pool, in jobs of a few milliseconds.
 */
export class ProgramStream {
  readonly #source: StreamSource;
  readonly #parts: ProgramStreamParts;
  readonly #program: StoredProgram;
  readonly #selection: Selection;
  readonly #caller: Caller;
  readonly #onStop: () => void;
  /** Where the next window begins, and what `since` says: a part may not have been taken yet. */
  #since: number;
  #sent: number;
  #window: Window | undefined;
  #idle: NodeJS.Timeout | undefined;
  #first: ProgramPart | 'idle' | 'stopped' | undefined;
  /** The number of changed results that it has read. */
  delivered = 0;
  #stopped = false;
  #cancel = () => {};

  /**
   * @param since the program must not have changed after this commit
   * @param onStop called once
   */
  constructor(
    source: StreamSource,
    parts: ProgramStreamParts,
    { program, selection, since, caller }: FollowedProgram,
    onStop: () => void,
  ) {
    this.#source = source;
    this.#parts = parts;
    this.#program = program;
    this.#selection = selection;
    this.#since = since;
    this.#sent = since;
    this.#onStop = onStop;
    this.#caller = withAbort(caller, (listener) => {
      this.#cancel = listener;
    });
  }

  /** Number of the last commit up to which all changes were sent. */
  get since(): number {
    return this.#sent;
  }

  get isNewest(): boolean {
    return this.#since >= this.#source.history.newest;
  }

  /** Finds the first part, if there is one. Errors: those of `ChangeHistory.rowsBetween`. */
  async begin(): Promise<void> {
    if (!this.isNewest) this.#first = await this.#advance();
  }

  /**
   * Returns the next part. If there is nothing new, it waits for that, at most this long in
   * milliseconds. Errors: `cancelled`, `data-damaged`, `shutting-down`.
   */
  async next(ms: number): Promise<ProgramPart | 'idle' | 'stopped'> {
    const part = await this.#next(ms);
    if (typeof part !== 'string') this.#sent = part.reached ?? this.#sent;
    return part;
  }

  async #next(ms: number): Promise<ProgramPart | 'idle' | 'stopped'> {
    const first = this.#first;
    this.#first = undefined;
    if (first) return first;
    if (this.#stopped) return 'stopped';
    if (!this.#window && this.isNewest) {
      const onStop = (stop: () => void) => {
        this.#cancel = stop;
      };
      const why = await this.#source.waves.wait(this.#since, ms, onStop);
      if (why !== 'commit') return why === 'time' ? 'idle' : why;
    }
    try {
      return await this.#advance();
    } catch (error) {
      if (error instanceof AppError && error.code === 'position-gone') return this.#resync();
      throw error;
    }
  }

  stop(): void {
    if (this.#stopped) return;
    this.#stopped = true;
    clearTimeout(this.#idle);
    this.#window = undefined;
    this.#cancel();
    this.#onStop();
  }

  /** Does one job of the window. */
  async #advance(): Promise<ProgramPart | 'idle' | 'stopped'> {
    clearTimeout(this.#idle);
    const window = this.#window ?? this.#begin();
    if (!window) return this.#resync();
    this.#window = window;
    const done = await this.#compare(window);
    if (this.#stopped) return 'stopped';
    if (done.kind === 'resync') return this.#resync();
    if (done.kind === 'later') {
      await delay(OVERLOADED_MS);
      return 'idle';
    }
    return this.#take(window, done);
  }

  /** Returns undefined if the program is not the same any more. */
  #begin(): Window | undefined {
    const { store, programs } = this.#parts;
    const { name, commit } = this.#program;
    if (programs.get(name)?.commit !== commit) return undefined;
    const detail = { program: name };
    const info: TaskInfo = { identity: newIdentity(), group: 'LDPath', label: 'program changes', detail };
    const progress = { rows: null, affected: null, next: 0, slow: false, preemptions: 0, milliseconds: 0 };
    return { snapshot: store.snapshot, info, ...progress };
  }

  async #compare(window: Window): Promise<ChangedLines | NotCompared> {
    let result = await this.#run(window);
    if (result.ok && result.value.kind === 'rows-needed') {
      const { history } = this.#source;
      const rows = await history.rowsBetween(this.#since, window.snapshot.sequence, MOST_WINDOW_ROWS);
      if (rows === 'too-many') return { kind: 'resync' };
      window.rows = rows;
      if (this.#stopped) return { kind: 'resync' };
      result = await this.#run(window);
    }
    if (!result.ok) return this.#failed(result.error);
    if (result.value.kind === 'lines') return result.value;
    return { kind: 'resync' };
  }

  #failed(error: ErrorData): NotCompared {
    if (this.#stopped || terminated.has(error.code)) return { kind: 'resync' };
    if (error.code === 'overloaded') return { kind: 'later' };
    throw fromErrorData(error);
  }

  #run({ snapshot, info, rows, affected, next, slow }: Window) {
    const { store, pool, programs } = this.#parts;
    const { starts } = this.#program;
    const selection = this.#selection;
    const request = {
      snapshot,
      program: { selection, starts: starts ?? null },
      since: this.#since,
      position: programs.position(this.#since),
      feed: store.changeFeed,
      rows,
      affected,
      next,
      slow,
    };
    return pool.programChanges(request, info, this.#caller);
  }

  #take(window: Window, done: ChangedLines): ProgramPart {
    const { bytes, errors, count, affected, next, slow, milliseconds } = done;
    const wasPreempted = next === window.next && window.slow;
    window.preemptions = wasPreempted ? window.preemptions + 1 : 0;
    window.milliseconds += milliseconds;
    this.delivered += count;
    window.affected = affected;
    window.next = next;
    window.slow = slow;
    if (next === affected.ids.length) {
      this.#window = undefined;
      this.#since = window.snapshot.sequence;
      return { bytes, errors, reached: this.#since };
    }
    if (window.preemptions > MOST_PREEMPTIONS || window.milliseconds > MOST_WINDOW_MS) return this.#resync();
    this.#idle = setTimeout(() => {
      this.#window = undefined;
    }, IDLE_WINDOW_MS).unref();
    return { bytes, errors };
  }

  #resync(): ProgramPart {
    const resync = this.#source.history.newest;
    this.stop();
    return { bytes: noBytes, errors: [], resync };
  }
}
