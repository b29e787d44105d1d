import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface, type Interface } from 'node:readline';
import { entryFile, flagsOfFirstLine } from './entry-file.ts';

export interface Running {
  readonly process: ChildProcess;
}

/** A child process that has said its first line. */
export interface Started extends Running {
  readonly pid: number;
  readonly line: string;
  readonly lines: Interface;
}

/** What was started here and has not ended; it does so with this process at the latest. */
const running = new Set<ChildProcess>();
let closing = false;
process.on('exit', killAll);

/**
 * Starts a program of this project (see `entryFile`) in the same way as this process, and waits for
 * its first line.
 */
export async function start(name: string, args: readonly string[]): Promise<Started> {
  const child = spawnEntry(name, args);
  const lines = createInterface({ input: child.stdout! });
  const line = await nextLine({ process: child, lines });
  return { process: child, pid: child.pid!, line, lines };
}

/** What the process says next. Rejects when it ends before that. */
export async function nextLine({
  process: child,
  lines,
}: Pick<Started, 'process' | 'lines'>): Promise<string> {
  const waiting = new AbortController();
  const { signal } = waiting;
  const said = once(lines, 'line', { signal }).then(([text]) => String(text));
  const ended = once(child, 'exit', { signal }).then(([status]) => Number(status));
  const line = await Promise.race([said, ended]);
  // Else whoever waited in vain would listen on.
  waiting.abort();
  if (typeof line === 'string') return line;
  throw new Error(`${child.spawnargs.slice(1).join(' ')} ended with status ${line}.`);
}

/** The same without waiting. */
export function spawnEntry(name: string, args: readonly string[]): ChildProcess {
  const file = entryFile(name);
  return startCommand(process.execPath, [...process.execArgv, ...flagsOfFirstLine(file), file, ...args]);
}

/**
 * Starts a command in the session of this process. Linux first divides processor time between
 * sessions and only then considers priorities: threads at low priority in a separate session would
 * not yield to a load generator in another one.
 */
export function startCommand(command: string, args: readonly string[], cwd?: string): ChildProcess {
  if (closing) throw new Error('Everything is being ended.');
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'], cwd });
  running.add(child);
  child.on('exit', () => running.delete(child));
  return child;
}

export async function stop(
  { process: child }: Running,
  signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM',
): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill(signal);
  await exited;
}

/** Ends everything at once, for good: nothing is started afterwards. */
export function killAll(): void {
  closing = true;
  for (const child of running) child.kill('SIGKILL');
}

/** What a child process prints on standard output, when it has ended well. */
export async function output(command: string, args: readonly string[]): Promise<string> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  const [status] = (await once(child, 'close')) as [number];
  if (status !== 0) throw new Error(`${command} ended with status ${status}.`);
  return text;
}

/** The same of a program of this project. */
export function outputOf(name: string, args: readonly string[]): Promise<string> {
  return output(process.execPath, [...process.execArgv, entryFile(name), ...args]);
}
