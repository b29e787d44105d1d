import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';

/** Of standard error, the last characters are kept. */
const KEPT_CHARACTERS = 100_000;

/** What was started here and has not ended. */
const running = new Set<ChildProcess>();
process.on('exit', () => {
  // A suspended process does not see SIGTERM, and SIGKILL ends it nevertheless.
  for (const child of running) child.kill('SIGKILL');
});
// Without a listener these signals end this process without that event.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => process.exit(128 + constants.signals[signal]));
}

/** A command that is started, killed, suspended and started again. It ends with this process. */
export class ControlledProcess {
  readonly #command: readonly string[];
  readonly #environment: Readonly<Record<string, string>>;
  #child: ChildProcess | undefined;
  #errors = '';
  #status: number | null = null;

  constructor(command: readonly string[], environment: Readonly<Record<string, string>> = {}) {
    this.#command = command;
    this.#environment = environment;
  }

  get isRunning(): boolean {
    return this.#child !== undefined;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** The exit status when it ended last; null when a signal ended it. */
  get status(): number | null {
    return this.#status;
  }

  /** The end of what it has written to standard error, over all starts. */
  get errors(): string {
    return this.#errors;
  }

  start(): void {
    if (this.#child) throw new Error(`${this.#command[0]} is running already.`);
    const [file = '', ...args] = this.#command;
    const environment = { ...process.env, ...this.#environment };
    const child = spawn(file, args, { env: environment, stdio: ['ignore', 'ignore', 'pipe'] });
    this.#child = child;
    running.add(child);
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#errors = (this.#errors + text).slice(-KEPT_CHARACTERS);
    });
    child.on('error', (error) => {
      this.#errors += String(error);
    });
    child.on('close', (status) => {
      running.delete(child);
      this.#status = status;
      if (this.#child === child) this.#child = undefined;
    });
  }

  /** Ends it by a signal; its exit status, or null when the signal ended it. */
  async end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null> {
    const child = this.#child;
    if (!child) return null;
    const ended = once(child, 'close');
    child.kill(signal);
    const [status] = (await ended) as [number | null];
    return status;
  }

  /** SIGSTOP: its connections stay, and it answers nothing. */
  pause(): void {
    this.#child?.kill('SIGSTOP');
  }

  /** SIGCONT. */
  resume(): void {
    this.#child?.kill('SIGCONT');
  }
}
