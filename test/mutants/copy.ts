import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export type Verdict = 'passed' | 'failed' | 'timed out';

export interface TestRun {
  readonly verdict: Verdict;
  readonly seconds: number;
}

const copied = [
  'src',
  'workers',
  'bench',
  'test',
  'docs',
  'package.json',
  'tsconfig.json',
  'tsconfig.build.json',
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  '.editorconfig',
  'biome.json',
];

/** A copy of the project in which files are changed and tests run. The original never changes. */
export class Copy {
  readonly #folder = mkdtempSync(join(tmpdir(), 'mutants-'));
  readonly #root = join(this.#folder, 'project');
  /** Where tests keep their data; paths of sockets must be short. */
  readonly #temporary = join(this.#folder, 't');

  constructor(original: string) {
    mkdirSync(this.#temporary);
    for (const name of copied) cpSync(join(original, name), join(this.#root, name), { recursive: true });
    symlinkSync(join(original, 'node_modules'), join(this.#root, 'node_modules'));
  }

  write(file: string, text: string): void {
    writeFileSync(join(this.#root, file), text);
  }

  /** Ends with the first failure. */
  async run(test: string, limitSeconds: number): Promise<TestRun> {
    const began = performance.now();
    const child = spawn(process.execPath, ['--import', 'tsx', '--test-reporter=tap', test], {
      cwd: this.#root,
      env: { ...process.env, TMPDIR: this.#temporary, FORCE_COLOR: '0' },
      stdio: ['ignore', 'pipe', 'ignore'],
      detached: true,
    });
    let verdict: Verdict = 'passed';
    const end = (reason: Verdict): void => {
      if (verdict === 'passed') verdict = reason;
      killGroup(child.pid);
    };
    const timer = setTimeout(end, 1000 * limitSeconds, 'timed out');
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (/^\s*not ok /.test(line)) end('failed');
    });
    const [status] = (await once(child, 'exit')) as [number | null];
    clearTimeout(timer);
    if (status !== 0) end('failed');
    this.#clean(child.pid);
    return { verdict, seconds: (performance.now() - began) / 1000 };
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /**
   * Kills servers left by a killed test, and removes their data, but keeps tsx's compiled files.
   */
  #clean(group: number | undefined): void {
    killGroup(group);
    for (const name of readdirSync(this.#temporary)) {
      if (!name.startsWith('tsx-')) rmSync(join(this.#temporary, name), { recursive: true, force: true });
    }
  }
}

function killGroup(group: number | undefined): void {
  try {
    if (group) process.kill(-group, 'SIGKILL');
  } catch {
    // All its processes have ended.
  }
}
