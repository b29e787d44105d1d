import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Baseline } from './baseline.ts';
import type { Copy, TestRun } from './copy.ts';
import { type Mutant, mutated } from './selection.ts';
import type { TestFinder } from './tests.ts';

export interface Outcome {
  readonly mutant: Mutant;
  readonly status: 'killed' | 'timed out' | 'survived';
  /** The test that killed it. */
  readonly by?: string;
  /** How many tests ran, and how many reach the file. */
  readonly ran: number;
  readonly reaching: number;
  readonly seconds: number;
}

/** Tries tests on mutants, the nearest first, for so many seconds at most for each mutant. */
export class Trial {
  readonly #root: string;
  readonly #tests: TestFinder;
  readonly #budgetSeconds: number;
  readonly #baseline: Baseline;

  constructor(root: string, tests: TestFinder, baseline: Baseline, budgetSeconds: number) {
    this.#root = root;
    this.#tests = tests;
    this.#baseline = baseline;
    this.#budgetSeconds = budgetSeconds;
  }

  async run(mutant: Mutant, copy: Copy): Promise<Outcome> {
    const tests = this.#cheapFirst(this.#tests.testsOf(mutant.file));
    const text = readFileSync(join(this.#root, mutant.file), 'utf8');
    let seconds = 0;
    let ran = 0;
    for (const test of tests) {
      if (seconds > this.#budgetSeconds) break;
      const unchanged = await this.#baseline.of(test, copy);
      if (unchanged.verdict !== 'passed') continue;
      copy.write(mutant.file, mutated(text, mutant));
      const run = await kill(copy, test, 10 + 3 * unchanged.seconds);
      copy.write(mutant.file, text);
      ran++;
      seconds += run.seconds;
      if (run.verdict === 'passed') continue;
      const status = run.verdict === 'failed' ? 'killed' : 'timed out';
      return { mutant, status, by: test, ran, reaching: tests.length, seconds };
    }
    return { mutant, status: 'survived', ran, reaching: tests.length, seconds };
  }

  /** The nearest test stays first; each second that another takes puts it one place back. */
  #cheapFirst(tests: readonly string[]): string[] {
    const cost = (test: string, index: number): number => (index && this.#baseline.seconds(test)) || 0;
    return tests
      .map((test, index) => ({ test, place: index + cost(test, index) }))
      .sort((a, b) => a.place - b.place)
      .map(({ test }) => test);
  }
}

/** A test that fails must do so twice, since a busy machine may fail a test once. */
async function kill(copy: Copy, test: string, limitSeconds: number): Promise<TestRun> {
  const first = await copy.run(test, limitSeconds);
  return first.verdict === 'passed' ? first : await copy.run(test, limitSeconds);
}
