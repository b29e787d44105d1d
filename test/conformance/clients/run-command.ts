import { spawn } from 'node:child_process';
import { killAfter } from '../kill-after.ts';

export interface EndedCommand {
  /** Null if the command could not be started, or if a signal ended it. */
  readonly status: number | null;
  readonly out: string;
  readonly err: string;
}

/** Runs a command to its end, with a time limit. */
export function runCommand(command: string, args: readonly string[], timeout: number): Promise<EndedCommand> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    killAfter(child, timeout);
    const texts = { out: '', err: '' };
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      texts.out += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      texts.err += text;
    });
    child.once('error', (error) => resolve({ status: null, out: '', err: error.message }));
    child.once('close', (status) => resolve({ status, ...texts }));
  });
}
