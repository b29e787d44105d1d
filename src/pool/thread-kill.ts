import { monotonicMs } from './monotonic-clock.ts';
import type { Death, Run } from './run.ts';

/** A thread that was ended, or that ended by itself, while it worked; for the log, so without the text of any program. */
export interface ThreadKill {
  /** As `/tasks` names it. */
  readonly thread: string;
  readonly reason: Death;
  /** The job that ran just then, as `/tasks` names it; undefined before the first has begun. */
  readonly task: string | undefined;
  /** Address of the client that it was for; empty once the request is over. */
  readonly client: string | undefined;
  readonly user: string | undefined;
  /** How long the thread had worked, in milliseconds. */
  readonly duration: number;
}

/** `step`: what the thread was at. To be called before the run gives up its members. */
export function threadKill(run: Run, reason: Death, step: number): ThreadKill {
  const member = run.member(step);
  return {
    thread: run.seat.name,
    reason,
    task: member?.name,
    client: member?.caller?.remoteAddress,
    user: member?.caller?.user,
    duration: Math.round(monotonicMs() - run.started),
  };
}
