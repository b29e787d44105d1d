import { readdirSync, readFileSync } from 'node:fs';

/** Clock ticks a second in /proc (USER_HZ): 100 on every Linux that Node.js runs on. */
const TICKS = 100;

/**
 * Seconds of processor time that a process has used, by thread id; the main thread has the process
 * id.
 */
export type ThreadTimes = ReadonlyMap<number, number>;

/** Undefined where the system does not tell (it is not Linux, or the process has ended). */
export function threadTimes(pid: number): ThreadTimes | undefined {
  try {
    const threads = readdirSync(`/proc/${pid}/task`).map(Number);
    return new Map(threads.map((thread) => [thread, secondsOf(`/proc/${pid}/task/${thread}/stat`)]));
  } catch {
    return undefined;
  }
}

/**
 * Seconds of processor time of a process, with threads that have ended; undefined where the system
 * does not tell.
 */
export function processSeconds(pid: number): number | undefined {
  try {
    return secondsOf(`/proc/${pid}/stat`);
  } catch {
    return undefined;
  }
}

/** `comm` may hold spaces and brackets, so that fields are counted from its end. */
function secondsOf(file: string): number {
  const text = readFileSync(file, 'utf8');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS;
}

/** Seconds of processor time between two looks. */
export interface ProcessorUse {
  readonly main: number;
  /** The other threads that used any, most first. */
  readonly others: readonly number[];
}

export function processorUse(pid: number, before: ThreadTimes, after: ThreadTimes): ProcessorUse {
  const used = (thread: number) => (after.get(thread) ?? 0) - (before.get(thread) ?? 0);
  const others = [...after.keys()].filter((thread) => thread !== pid).map(used);
  return { main: used(pid), others: others.filter((seconds) => seconds > 0).sort((a, b) => b - a) };
}

export function total({ main, others }: ProcessorUse): number {
  return others.reduce((sum, seconds) => sum + seconds, main);
}

/** Resident memory in bytes; undefined where the system does not tell. */
export function residentBytes(pid: number): number | undefined {
  try {
    const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return kibibytes === undefined ? undefined : Number(kibibytes) * 1024;
  } catch {
    return undefined;
  }
}
