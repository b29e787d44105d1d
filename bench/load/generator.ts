import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { entryFile } from '../measure/entry-file.ts';
import type { Command, Load, LoadResult, Report } from './load.ts';
import type { Target } from './request.ts';

/** The load generator's process. */
export class Generator {
  readonly #child: ChildProcess;
  readonly #names = new Map<Target, number>();

  private constructor(child: ChildProcess) {
    this.#child = child;
  }

  static start(): Generator {
    return new Generator(fork(entryFile('bench/load/generator-process'), [], { stdio: 'inherit' }));
  }

  /** One at a time. */
  async run(target: Target, load: Load): Promise<LoadResult> {
    const name = this.#name(target);
    this.#send({ kind: 'run', name, load });
    const ended = new AbortController();
    const [report] = (await Promise.race([
      once(this.#child, 'message', { signal: ended.signal }),
      once(this.#child, 'exit', { signal: ended.signal }).then(() => [
        { error: 'The load generator ended.' },
      ]),
    ]).finally(() => ended.abort())) as [Report];
    if ('error' in report) throw new Error(report.error);
    return report.result;
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const exited = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await exited;
  }

  /** A target crosses once. */
  #name(target: Target): number {
    const known = this.#names.get(target);
    if (known !== undefined) return known;
    const name = this.#names.size;
    this.#names.set(target, name);
    this.#send({ kind: 'target', name, target });
    return name;
  }

  #send(command: Command): void {
    this.#child.send(command);
  }
}
