import { link, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';
import { ChildLines } from '../support/child-lines.ts';
import { scriptArguments } from '../support/project.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import type { Ending } from './subject-plan.ts';

const kinds = {
  image: /\.image$/,
  manifest: /^checkpoint-\d+\.json$/,
  journal: /^journal-\d+\.log$/,
  patch: /^patch-.*\.(rdfp|rows)$/,
  seal: /^journal\.seal$/,
  identity: /^identity\.json$/,
  lock: /^lock\.\d+$/,
  content: /^content\/.*[0-9a-f]{64}$/,
};

export type Kind = keyof typeof kinds;

/**
 * A data directory that a real process has written, which is put back into its state as often as
 * needed.
 */
export class Subject {
  readonly directory: string;
  readonly ending: Ending;
  /** All files, by their paths in the directory. */
  readonly files: ReadonlyMap<string, Buffer>;
  /**
   * A socket that nobody listens at any more can't be made from its bytes: here it lies under
   * another name.
   */
  readonly #socket: { readonly path: string; readonly kept: string } | undefined;

  static async create(context: TestContext, ending: Ending): Promise<Subject> {
    const root = await temporaryDirectory(context);
    const directory = join(root, 'data');
    await mkdir(directory);
    const child = new ChildLines(context, [
      ...scriptArguments('test/damage/write-subject'),
      directory,
      ending,
    ]);
    await child.next();
    if (ending === 'killed') await child.kill();
    else await child.ended;
    const socket = (await readdir(directory)).find((name) => name.endsWith('.socket'));
    const kept = join(root, 'socket');
    if (socket !== undefined) await link(join(directory, socket), kept);
    const files = await filesIn(directory);
    return new Subject(directory, ending, files, socket === undefined ? undefined : { path: socket, kept });
  }

  private constructor(
    directory: string,
    ending: Ending,
    files: ReadonlyMap<string, Buffer>,
    socket: { readonly path: string; readonly kept: string } | undefined,
  ) {
    this.directory = directory;
    this.ending = ending;
    this.files = files;
    this.#socket = socket;
  }

  /** The paths of the files of a kind. */
  filesOf(kind: Kind): string[] {
    return [...this.files.keys()].filter((path) => kinds[kind].test(path));
  }

  async damage(path: string, bytes: Buffer): Promise<void> {
    await writeFile(join(this.directory, path), bytes);
  }

  /** Paths of files that are not as they were. */
  async changedFiles(): Promise<string[]> {
    const found = await filesIn(this.directory);
    const paths = new Set([...found.keys(), ...this.files.keys()]);
    return [...paths].filter((path) => {
      const bytes = found.get(path);
      return bytes === undefined || !this.files.get(path)?.equals(bytes);
    });
  }

  async restore(): Promise<void> {
    for (const path of await this.changedFiles()) {
      const bytes = this.files.get(path);
      await rm(join(this.directory, path), { force: true });
      if (!bytes) continue;
      await mkdir(dirname(join(this.directory, path)), { recursive: true });
      await writeFile(join(this.directory, path), bytes);
    }
    for (const name of await readdir(this.directory)) {
      if (name.endsWith('.socket')) await rm(join(this.directory, name));
    }
    if (this.#socket) await link(this.#socket.kept, join(this.directory, this.#socket.path));
  }
}

async function filesIn(directory: string): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>();
  for (const entry of await readdir(directory, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath ?? entry.path, entry.name);
    files.set(path.slice(directory.length + 1), await readFile(path));
  }
  return files;
}
