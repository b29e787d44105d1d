import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectFile } from './project.ts';
import type { Scope } from './scope.ts';

/** Decides when the disk of a server syncs. At first, it does so at once. */
export class HeldDisk {
  /** The environment of the server. */
  readonly environment: Record<string, string>;
  readonly #file = join(tmpdir(), `pathpool-hold-${randomUUID()}`);

  constructor(scope: Scope) {
    const hook = projectFile('test/support/slow-disk.cjs');
    this.environment = { NODE_OPTIONS: `--require=${hook}`, SLOW_DISK: this.#file };
    scope.after(() => this.#release());
  }

  /** Lets nothing be synced until the work has ended, or failed. */
  async holdDuring<T>(work: () => Promise<T>): Promise<T> {
    await writeFile(this.#file, '');
    try {
      return await work();
    } finally {
      await this.#release();
    }
  }

  #release(): Promise<void> {
    return rm(this.#file, { force: true });
  }
}
