import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** A child process that has said its first line. */
export interface Started {
  readonly process: ChildProcess;
  readonly line: string;
  /** Milliseconds from the start to the line. */
  readonly milliseconds: number;
}

export async function start(args: readonly string[]): Promise<Started> {
  const began = performance.now();
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout });
  const [line] = (await Promise.race([once(lines, 'line'), once(child, 'exit')])) as [unknown];
  if (typeof line !== 'string') throw new Error(`${args.join(' ')} ended with ${String(line)}`);
  return { process: child, line, milliseconds: performance.now() - began };
}

export async function stop(started: Started, signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
  const exited = once(started.process, 'exit');
  started.process.kill(signal);
  await exited;
}

/** What a child process prints on standard output, when it has ended well. */
export async function output(command: string, args: readonly string[]): Promise<string> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  const [status] = (await once(child, 'close')) as [number];
  if (status !== 0) throw new Error(`${command} ended with status ${status}`);
  return text;
}
