import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { TestContext } from 'node:test';
import { scriptArguments } from './project.ts';

/**
 * A process that communicates line by line. It is terminated at the end of the test at the latest.
 */
export class ChildLines {
  readonly process: ChildProcess;
  readonly #received: string[] = [];
  /** Resolves when no process has its output open any more: its child processes have ended too. */
  readonly ended: Promise<void>;
  #hasEnded = false;
  #tell = () => {};

  /** `prefix`: a command that runs the one behind it, such as `unshare`. */
  constructor(context: TestContext, command: readonly string[], prefix: readonly string[] = []) {
    const [file = '', ...args] = [...prefix, process.execPath, ...command];
    this.process = spawn(file, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    createInterface({ input: this.process.stdout! }).on('line', (line) => {
      this.#received.push(line);
      this.#tell();
    });
    this.ended = once(this.process, 'close').then(() => {
      this.#hasEnded = true;
      this.#tell();
    });
    context.after(() => this.kill());
  }

  /** Sends a line; the next line that comes back. */
  ask(line: string): Promise<string> {
    this.process.stdin!.write(`${line}\n`);
    return this.next();
  }

  /** The next line that it writes. Rejects when it has ended. */
  async next(): Promise<string> {
    while (this.#received.length === 0) {
      if (this.#hasEnded) throw new Error('The process has ended');
      await new Promise<void>((resolve) => {
        this.#tell = resolve;
      });
    }
    return this.#received.shift()!;
  }

  /** Ends it with SIGKILL. */
  async kill(): Promise<void> {
    this.process.kill('SIGKILL');
    await this.ended;
  }
}

/** A process that acquires the lock of a directory on demand. */
export function lockHolder(
  context: TestContext,
  directory: string,
  options: { readonly leaseMs?: number; readonly prefix?: readonly string[] } = {},
): ChildLines {
  const lease = options.leaseMs === undefined ? [] : [String(options.leaseMs)];
  return new ChildLines(
    context,
    [...scriptArguments('test/support/lock-holder'), directory, ...lease],
    options.prefix,
  );
}
