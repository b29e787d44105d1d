import type { Run, WorkerExit } from '../runs/run.ts';
import { monotonicMs } from './monotonic-clock.ts';

/**
 * A thread that was terminated, or exited, while it worked. It is for the log, so it contains no
 * program text.
 */
export interface ThreadKill {
  /** As `/tasks` names it. */
  readonly thread: string;
  readonly reason: WorkerExit;
  /** The job that was running, as `/tasks` names it; undefined before the first one has begun. */
  readonly task: string | undefined;
  /** Address of the client that requested it; empty once the request is over. */
  readonly client: string | undefined;
  readonly user: string | undefined;
  /** How long the thread had worked, in milliseconds. */
  readonly duration: number;
}

/** `step`: the step that was running. Call it before the run is abandoned. */
export function threadKill(run: Run, reason: WorkerExit, step: number): ThreadKill {
  const member = run.member(step);
  return {
    thread: run.workerSlot.name,
    reason,
    task: member?.name,
    client: member?.caller?.remoteAddress,
    user: member?.caller?.user,
    duration: Math.round(monotonicMs() - run.started),
  };
}
