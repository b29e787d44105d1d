import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Copy, TestRun } from './copy.ts';

/** How tests end on the unchanged source, and how long they take; kept in a file for later runs. */
export class Baseline {
  readonly #file: string;
  readonly #known: Map<string, TestRun>;
  readonly #running = new Map<string, Promise<TestRun>>();

  constructor(file: string) {
    this.#file = file;
    this.#known = new Map(Object.entries(read(file)));
  }

  /** Undefined for a test that has not run yet. */
  seconds(test: string): number | undefined {
    return this.#known.get(test)?.seconds;
  }

  /** `copy` must be unchanged. */
  async of(test: string, copy: Copy): Promise<TestRun> {
    const known = this.#known.get(test);
    if (known) return known;
    const running = this.#running.get(test) ?? copy.run(test, 120);
    this.#running.set(test, running);
    const run = await running;
    this.#known.set(test, run);
    mkdirSync(dirname(this.#file), { recursive: true });
    writeFileSync(this.#file, JSON.stringify(Object.fromEntries(this.#known), null, 1));
    return run;
  }
}

function read(file: string): Record<string, TestRun> {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Record<string, TestRun>;
  } catch {
    return {};
  }
}
