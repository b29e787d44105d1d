import { v4 as uuid } from 'uuid';
import { type Caller, clientKey } from '../../base/caller.ts';
import type { ErrorCode, ErrorData } from '../../errors.ts';
import { type Evaluation, type EvaluationResult, isOnlyCompiled } from '../evaluation-request.ts';
import { programKey } from '../scheduling/quarantine.ts';
import { outcomeOf, type TaskOutcome } from '../tasks/live-task.ts';
import {
  nextSequence,
  type TaskIdentity,
  type TaskInfo,
  type TaskMap,
  type TaskUnit,
  taskName,
} from '../tasks/map.ts';
import { epochMs } from '../threads/monotonic-clock.ts';

/** Number of characters of a program that a task shows. */
export const SHOWN_SOURCE = 200;

/** The group of evaluations. */
const LDPATH = 'LDPath';

/** A task that is listed as one, and whose parts are jobs. */
export interface WholeTask {
  /** `now`: milliseconds since 1970. */
  task(now: number): TaskMap;
}

/** The queue in which a submission waits. */
interface WaitingQueue {
  remove(submission: Submission): void;
}

/** The line of a client in a queue. */
interface WaitingLine {
  /** Average cost of its jobs, in milliseconds. */
  readonly jobMs: number;
}

/** The run that a submission belongs to. */
interface OwnRun {
  readonly workerSlot: { readonly index: number };
}

/**
 * One job that a caller submitted, until it is settled. A node of its queue's list while it waits.
 */
export abstract class Submission {
  readonly sequence: number;
  /** In `monotonicMs`. */
  readonly submitted: number;
  previous: Submission | null = null;
  next: Submission | null = null;
  /** The queue in which it waits. */
  queue: WaitingQueue | null = null;
  /** The line of its queue in which it waits, or waited. */
  line: WaitingLine | null = null;
  /** Thread time that its client was charged in advance, in milliseconds. */
  charged = 0;
  /** The run that it belongs to, and its step there; null while it waits. */
  run: OwnRun | null = null;
  step = 0;
  settled = false;
  /** The error that settled it, if one did. */
  failure: ErrorCode | undefined = undefined;
  /** The request that the job is for; undefined for the server's own work. */
  readonly caller: Caller | undefined;
  /**
   * The task that it is a part of. A part is not rejected when the queue is full, because the whole
   * task was accepted.
   */
  readonly whole: WholeTask | undefined;
  /** When it was cancelled while it ran, in `monotonicMs`; 0 for never. */
  cancelled = 0;
  /** It must run alone, because it may have terminated a thread. */
  alone = false;
  /** When it last went back to a queue, in `monotonicMs`; 0 for never. */
  requeued = 0;
  #id: string | undefined;
  readonly #started: number | undefined;
  #client: string | undefined;

  constructor(
    submitted: number,
    caller: Caller | undefined,
    whole: WholeTask | undefined,
    identity?: TaskIdentity,
  ) {
    this.submitted = submitted;
    this.caller = caller;
    this.whole = whole;
    this.sequence = identity?.sequence ?? nextSequence();
    this.#id = identity?.id;
    this.#started = identity?.started;
  }

  get isPart(): boolean {
    return this.whole !== undefined;
  }

  abstract readonly info: TaskInfo;

  /** What its thread counts on the task board. */
  abstract readonly unit: TaskUnit | null;

  get id(): string {
    this.#id ??= uuid();
    return this.#id;
  }

  get name(): string {
    return taskName(this.info, this.sequence);
  }

  get group(): string {
    return this.info.group;
  }

  /** Undefined before its end. */
  get outcome(): TaskOutcome | undefined {
    return this.settled ? outcomeOf(this.failure) : undefined;
  }

  /** Milliseconds since 1970. */
  get started(): number {
    return this.#started ?? epochMs(this.submitted);
  }

  /** Identifies the client while that is possible: after the request it may not be. */
  identify(): void {
    this.#client ??= clientKey(this.caller);
  }

  /**
   * See `clientKey`. Read it before the request ends: the client cannot be identified afterwards.
   */
  get client(): string {
    this.identify();
    return this.#client!;
  }

  /** What the quarantine knows its program by; null for jobs without one. */
  abstract readonly programKey: string | null;

  abstract fail(error: ErrorData): void;
}

/** An evaluation that was requested. */
interface EvaluationCall {
  readonly evaluation: Evaluation;
  readonly resolve: (result: EvaluationResult) => void;
  readonly caller?: Caller | undefined;
  readonly whole?: WholeTask | undefined;
}

/** A single evaluation. It is small, since there may be a hundred thousand in a second. */
export class EvaluationSubmission extends Submission {
  readonly unit = 'steps';
  readonly evaluation: Evaluation;
  readonly #resolve: (result: EvaluationResult) => void;
  /**
   * How many times the usual slice it may run before it is preempted. It grows each time that this
   * was not enough.
   */
  sliceFactor = 1;
  /** When it was first preempted, in `monotonicMs`; 0 for never. */
  madeRoom = 0;

  constructor({ evaluation, resolve, caller, whole }: EvaluationCall, submitted: number) {
    super(submitted, caller, whole);
    this.evaluation = evaluation;
    this.#resolve = resolve;
  }

  get programKey(): string {
    return programKey(this.evaluation.source, this.evaluation.visible);
  }

  override get group(): string {
    return LDPATH;
  }

  get info(): TaskInfo {
    const { mode, start, source, resultKind } = this.evaluation;
    const shown = source.slice(0, SHOWN_SOURCE);
    return isOnlyCompiled(resultKind)
      ? { group: LDPATH, label: 'compilation', detail: { [mode]: shown } }
      : { group: LDPATH, label: mode, detail: { uri: start, [mode]: shown } };
  }

  settle(result: EvaluationResult): void {
    if (this.settled) return;
    this.settled = true;
    if (!result.ok) this.failure = result.error.code;
    this.#resolve(result);
  }

  fail(error: ErrorData): void {
    this.settle({ ok: false, error });
  }
}
