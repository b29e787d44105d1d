import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';

/** Distinguishes a process from all others, past and present. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly host: string;
  /** Identifies the current boot of the machine; empty if the system does not provide it. */
  readonly boot: string;
  /**
   * When the process started, in clock ticks since boot; empty if the system does not provide it.
   */
  readonly started: string;
}

/** Returns the identity of this process. */
export async function thisProcess(): Promise<ProcessIdentity> {
  const { ticks } = await processStatus(process.pid);
  return { pid: process.pid, host: hostname(), boot: await bootId(), started: ticks };
}

/**
 * Whether the process is still running. A process on another host is assumed to be running, because
 * this host can't determine that.
 */
export async function isRunning(identity: ProcessIdentity): Promise<boolean> {
  return identity.host !== hostname() || (await isRunningHere(identity));
}

/**
 * Whether the process is visibly running, in the same PID namespace, regardless of its host name.
 */
export async function isRunningHere({ pid, boot, started }: ProcessIdentity): Promise<boolean> {
  if (boot !== (await bootId()) || !exists(pid)) return false;
  const { state, ticks } = await processStatus(pid);
  // A zombie has ended. A different start time means that the number was reused for another
  // process.
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
 * Returns fields 3 and 22 of proc_pid_stat(5), or empty strings if the system does not provide
 * them. Field 2, the program's name, is in parentheses and may contain arbitrary characters.
 */
async function processStatus(pid: number): Promise<{ state: string; ticks: string }> {
  const stat = await readProc(`/proc/${pid}/stat`);
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return { state: fields[0] ?? '', ticks: fields[19] ?? '' };
}

/** Returns an empty string if there is no such file, as on systems other than Linux. */
async function readProc(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => '');
}
