import { existsSync } from 'node:fs';
import { cp, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { output } from '../measure/processes.ts';
import { ArgumentError } from '../options.ts';

/** What of `bench` is not its source. */
const NOT_COPIED = /[\\/](results|node_modules)$/;

/** Another revision, built in a worktree of its own with the benchmarks of this working tree. */
export class Revision {
  readonly root: string;
  readonly #directory: string;

  private constructor(directory: string) {
    this.#directory = directory;
    this.root = join(directory, 'tree');
  }

  /** Throws an `ArgumentError` when there is no such revision. */
  static async checkOut(ref: string): Promise<Revision> {
    const commit = await commitOf(ref);
    const revision = new Revision(await mkdtemp(join(tmpdir(), 'pathpool-compare-')));
    await output('git', ['worktree', 'add', '--quiet', '--detach', revision.root, commit]);
    return revision;
  }

  /** `say` is told what takes long or does not fit. */
  async build(say: (words: string) => void): Promise<void> {
    await rm(join(this.root, 'bench'), { recursive: true, force: true });
    const filter = (source: string) => !NOT_COPIED.test(source);
    await cp('bench', join(this.root, 'bench'), { recursive: true, filter });
    if (await this.#hasOurLock()) await symlink(resolve('node_modules'), join(this.root, 'node_modules'));
    else {
      say('its dependencies differ: npm ci');
      await output('npm', ['ci', '--prefix', this.root, '--no-audit', '--no-fund']);
    }
    const compiler = resolve('node_modules/.bin/tsc');
    await output(compiler, ['-p', join(this.root, 'tsconfig.build.json')]).catch(() => {
      say('the benchmarks do not compile against its types; what does not run is left out');
    });
    // Revisions before the bundle have compiled entry files of threads.
    const bundle = join(this.root, 'scripts/bundle.ts');
    if (existsSync(bundle)) await output(process.execPath, ['--import', 'tsx', bundle]);
  }

  async remove(): Promise<void> {
    await output('git', ['worktree', 'remove', '--force', this.root]);
    await rm(this.#directory, { recursive: true, force: true });
  }

  async #hasOurLock(): Promise<boolean> {
    const [theirs, ours] = await Promise.all([
      readFile(join(this.root, 'package-lock.json'), 'utf8'),
      readFile('package-lock.json', 'utf8'),
    ]);
    return theirs === ours;
  }
}

async function commitOf(ref: string): Promise<string> {
  const found = await output('git', ['rev-parse', '--verify', '--quiet', `${ref}^{commit}`]).catch(() => '');
  if (found.trim() !== '') return found.trim();
  throw new ArgumentError(`There is no revision ${JSON.stringify(ref)} here.`);
}
