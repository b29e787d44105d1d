import { setTimeout as delay } from 'node:timers/promises';
import type { ByteBudget } from '../../base/byte-budget.ts';
import { type Caller, withAbort } from '../../base/caller.ts';
import { AppError } from '../../errors.ts';
import type { ChangedLines, FailedResult, PreparedWindow } from '../../pool/program-changes.ts';
import { newIdentity, type TaskInfo } from '../../pool/tasks/map.ts';
import type { SnapshotDescriptor } from '../../snapshot/descriptor.ts';
import type { StoreClient } from '../../store/main/client.ts';
import type { StoredPrograms } from '../ldpath/stored-programs.ts';
import type { StreamSource } from './page-stream.ts';
import type { FollowedProgram, NotCompared, WindowJobs } from './window-jobs.ts';

/** The most thread time for one window, in milliseconds. */
const MOST_WINDOW_MS = 120_000;
/** How often a slow start resource is begun again after it was preempted. */
const MOST_PREEMPTIONS = 20;
/**
 * A window whose results nobody takes for this long is begun anew: it holds a snapshot. The next
 * one may wait twice as long, so that a slow client comes to its end.
 */
const IDLE_WINDOW_MS = 30_000;
const MOST_IDLE_WINDOW_MS = 16 * IDLE_WINDOW_MS;
/** When the pool has no room for a job, or the server none for its lines; in milliseconds. */
const OVERLOADED_MS = 1000;
/** Lines with no more bytes do not count among those that are held for slow clients. */
const FEW_BYTES = 64 * 1024;
const noBytes = new Uint8Array(0);
const later: NotCompared = { kind: 'later' };

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
  readonly store: Pick<StoreClient, 'snapshot'>;
  readonly programs: Pick<StoredPrograms, 'get'>;
  readonly jobs: Pick<WindowJobs, 'run'>;
  /** For the lines that streams have read, and their clients have not taken. */
  readonly held: ByteBudget;
}

/** What a stream follows, for whose request, and from which commit on. */
export interface ProgramStreamRequest extends FollowedProgram {
  readonly since: number;
  readonly caller: Caller;
}

/** All commits after one, up to a snapshot, which are compared at once. */
interface Window {
  readonly snapshot: SnapshotDescriptor;
  readonly info: TaskInfo;
  prepared: PreparedWindow | null;
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
  readonly #followed: FollowedProgram;
  readonly #caller: Caller;
  readonly #onStop: () => void;
  /** Where the next window begins, and what `since` says: a part may not have been taken yet. */
  #since: number;
  #sent: number;
  #window: Window | undefined;
  #idle: NodeJS.Timeout | undefined;
  #idleMs = IDLE_WINDOW_MS;
  #first: ProgramPart | 'idle' | 'stopped' | undefined;
  /** The number of changed results that it has read. */
  delivered = 0;
  #stopped = false;
  #cancel = () => {};
  /** Bytes that count among those held for slow clients. */
  #reserved = 0;
  /** The bytes of lines for which there was no room. */
  #wanted = 0;

  /**
   * @param since the program must not have changed after this commit
   * @param onStop called once
   */
  constructor(
    source: StreamSource,
    parts: ProgramStreamParts,
    { program, selection, since, caller }: ProgramStreamRequest,
    onStop: () => void,
  ) {
    this.#source = source;
    this.#parts = parts;
    this.#followed = { program, selection };
    this.#since = since;
    this.#sent = since;
    this.#onStop = onStop;
    this.#caller = caller;
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
   * milliseconds. Errors: `data-damaged`, `shutting-down`.
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
    this.#release();
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
      if (this.#stopped) return 'stopped';
      if (error instanceof AppError && error.code === 'position-gone') return this.#resync();
      throw error;
    }
  }

  stop(): void {
    if (this.#stopped) return;
    this.#stopped = true;
    clearTimeout(this.#idle);
    this.#window = undefined;
    this.#release();
    this.#cancel();
    this.#onStop();
  }

  /** Does one job of the window. */
  async #advance(): Promise<ProgramPart | 'idle' | 'stopped'> {
    clearTimeout(this.#idle);
    const window = this.#window ?? this.#begin();
    if (!window) return this.#resync();
    this.#window = window;
    const part = await this.#attempt(window);
    if (part !== 'later') return part;
    await delay(OVERLOADED_MS);
    return 'idle';
  }

  /** Returns `later` if the pool has no room for the job, or the server none for its lines. */
  async #attempt(window: Window): Promise<ProgramPart | 'later' | 'stopped'> {
    const done = this.#reserve(this.#wanted) ? await this.#compare(window) : later;
    if (this.#stopped) return 'stopped';
    if (done.kind === 'resync') return this.#resync();
    if (done.kind === 'later' || !this.#reserve(done.bytes.length)) return 'later';
    return this.#take(window, done);
  }

  /** Does one job, or waits for that of another stream. */
  async #compare(window: Window): Promise<ChangedLines | NotCompared> {
    const place = { ...window, since: this.#since };
    const caller = withAbort(this.#caller, (leave) => {
      this.#cancel = leave;
    });
    try {
      return await this.#parts.jobs.run(this.#followed, place, this.#source.history, caller);
    } finally {
      // It holds what the job had, even if nothing more is read for long.
      this.#cancel = () => {};
    }
  }

  /**
   * Makes room for the lines of the next part, in the place of what was reserved before. Returns
   * false if the clients of all streams together hold too much. One stream alone never does.
   */
  #reserve(bytes: number): boolean {
    this.#release();
    const { held } = this.#parts;
    this.#wanted = bytes > FEW_BYTES ? bytes : 0;
    if (held.reserve(this.#wanted)) this.#reserved = this.#wanted;
    else if (held.held > 0) return false;
    this.#wanted = 0;
    return true;
  }

  #release(): void {
    this.#parts.held.release(this.#reserved);
    this.#reserved = 0;
  }

  /** Returns undefined if the program is not the same any more. */
  #begin(): Window | undefined {
    const { store, programs } = this.#parts;
    const { name, commit } = this.#followed.program;
    if (programs.get(name)?.commit !== commit) return undefined;
    const detail = { program: name };
    const info: TaskInfo = { identity: newIdentity(), group: 'LDPath', label: 'program changes', detail };
    const progress = { prepared: null, next: 0, slow: false, preemptions: 0, milliseconds: 0 };
    return { snapshot: store.snapshot, info, ...progress };
  }

  #take(window: Window, done: ChangedLines): ProgramPart {
    const { bytes, errors, count, prepared, next, slow, milliseconds } = done;
    const wasPreempted = next === window.next && window.slow;
    window.preemptions = wasPreempted ? window.preemptions + 1 : 0;
    window.milliseconds += milliseconds;
    this.delivered += count;
    window.prepared = prepared;
    window.next = next;
    window.slow = slow;
    if (prepared === null) {
      this.#window = undefined;
      this.#idleMs = IDLE_WINDOW_MS;
      this.#since = window.snapshot.sequence;
      return { bytes, errors, reached: this.#since };
    }
    if (window.preemptions > MOST_PREEMPTIONS || window.milliseconds > MOST_WINDOW_MS) return this.#resync();
    this.#idle = setTimeout(() => {
      this.#window = undefined;
      this.#idleMs = Math.min(2 * this.#idleMs, MOST_IDLE_WINDOW_MS);
    }, this.#idleMs).unref();
    return { bytes, errors };
  }

  #resync(): ProgramPart {
    const resync = this.#source.history.newest;
    this.stop();
    return { bytes: noBytes, errors: [], resync };
  }
}
