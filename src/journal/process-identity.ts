import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';

/** What tells a process from all others, past and present. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly host: string;
  /** Identifies the time since the machine was started; empty where the system does not say. */
  readonly boot: string;
  /** When the process started, in clock ticks since boot; empty where the system does not say. */
  readonly started: string;
}

/** What tells this process from all others. */
export async function thisProcess(): Promise<ProcessIdentity> {
  const { ticks } = await processStatus(process.pid);
  return { pid: process.pid, host: hostname(), boot: await bootId(), started: ticks };
}

/** Whether the process still runs. One of another host is taken to run: nobody here can tell. */
export async function isRunning(identity: ProcessIdentity): Promise<boolean> {
  return identity.host !== hostname() || (await isRunningHere(identity));
}

/**
 * Whether the process is seen to run, as it is from the same PID namespace, whatever its host was
 * called.
 */
export async function isRunningHere({ pid, boot, started }: ProcessIdentity): Promise<boolean> {
  if (boot !== (await bootId()) || !exists(pid)) return false;
  const { state, ticks } = await processStatus(pid);
  // A zombie has ended. Another start time means that the number was given to another process since.
  return state !== 'Z' && (ticks === '' || ticks === started);
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

async function bootId(): Promise<string> {
  return (await readProc('/proc/sys/kernel/random/boot_id')).trim();
}

/**
 * Fields 3 and 22 of proc_pid_stat(5), empty where the system does not show them. The name of the program, field 2,
 * is in parentheses and may hold anything.
 */
async function processStatus(pid: number): Promise<{ state: string; ticks: string }> {
  const stat = await readProc(`/proc/${pid}/stat`);
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return { state: fields[0] ?? '', ticks: fields[19] ?? '' };
}

/** Empty where there is no such file, as on other systems than Linux. */
async function readProc(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => '');
}
