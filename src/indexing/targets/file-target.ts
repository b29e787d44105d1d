import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type IndexState, parseState } from '../run-state.ts';
import { type DocumentChange, type Target, TargetError } from './target.ts';

const STATE = 'state.json';
const RUN = 'run-';

/**
 * Files of JSON: `run-ID/ab/HASH.json` has the document of a resource, by the SHA-256 of its IRI,
 * and `state.json` says which run is the newest. A file gets its name when it is complete.
 */
export class FileTarget implements Target {
  readonly format = 'values';
  readonly name: string;
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
    this.name = directory;
  }

  async readState(): Promise<IndexState | undefined> {
    const file = join(this.#directory, STATE);
    const text = await readFile(file, 'utf8').catch(absent);
    if (text === undefined) return undefined;
    const state = parseState(text);
    if (state) return state;
    throw new TargetError(`${file} is not the state of an index: choose another directory, or remove it`);
  }

  async write(changes: readonly DocumentChange[], state: IndexState): Promise<void> {
    for (const { uri, document } of changes) {
      const file = this.#fileOf(uri, state.run);
      if (document === null) await rm(file, { force: true });
      else await writeWhole(file, `${JSON.stringify({ id: uri, ...document })}\n`);
    }
    await writeWhole(join(this.#directory, STATE), `${JSON.stringify(state)}\n`);
  }

  async removeOtherRuns(run: string): Promise<void> {
    for (const name of await readdir(this.#directory)) {
      if (!name.startsWith(RUN) || name === RUN + run) continue;
      await rm(join(this.#directory, name), { recursive: true, force: true });
    }
  }

  #fileOf(uri: string, run: string): string {
    const hash = createHash('sha256').update(uri).digest('hex');
    return join(this.#directory, RUN + run, hash.slice(0, 2), `${hash}.json`);
  }
}

async function writeWhole(file: string, text: string): Promise<void> {
  const draft = `${file}.${randomBytes(4).toString('hex')}`;
  await writeFile(draft, text).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    await mkdir(dirname(file), { recursive: true });
    await writeFile(draft, text);
  });
  await rename(draft, file);
}

function absent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
