import { spawn } from 'node:child_process';

export interface EndedCommand {
  /** Null when it could not be started, or was ended by a signal. */
  readonly status: number | null;
  readonly out: string;
  readonly err: string;
}

/** Runs a command to its end, for some time at most. */
export function runCommand(command: string, args: readonly string[], timeout: number): Promise<EndedCommand> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], timeout, killSignal: 'SIGKILL' });
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
