import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type IndexState, parseState, stateText, UNREADABLE } from '../run-state.ts';
import { type DocumentChange, type Target, TargetError } from './target.ts';

const STATE = 'state.json';
const RUN = 'run-';
/** See `writeWhole`. */
const DRAFT = /\.json\.[0-9a-f]{8}$/;
/** Codes of errors that would occur again. */
const lasting: ReadonlySet<string> = new Set(['EACCES', 'EEXIST', 'EISDIR', 'ENOTDIR', 'EPERM', 'EROFS']);

/**
 * Files of JSON: `run-ID/ab/HASH.json` has the document of a resource, by the SHA-256 of its IRI,
 * and `state.json` says which run is the newest. A file gets its name when it is complete.
 */
export class FileTarget implements Target {
  readonly format = 'values';
  readonly name: string;
  readonly #directory: string;
  readonly #program: string;
  #isSwept = false;

  constructor(directory: string, program: string) {
    this.#directory = directory;
    this.#program = program;
    this.name = directory;
  }

  async readState(): Promise<IndexState | undefined> {
    const state = await this.#readState();
    if (state && !this.#isSwept) await this.#removeDrafts();
    this.#isSwept = true;
    return state;
  }

  /** Drafts remain when the process is killed. */
  async #removeDrafts(): Promise<void> {
    const names = await readdir(this.#directory);
    const runs = names.filter((name) => name.startsWith(RUN));
    const parts = await Promise.all(runs.map((run) => readdir(join(this.#directory, run)).catch(noNames)));
    const folders = runs.flatMap((run, i) => parts[i]!.map((part) => join(run, part)));
    for (const folder of ['', ...folders]) {
      const found = await readdir(join(this.#directory, folder)).catch(noNames);
      for (const name of found) if (DRAFT.test(name)) await rm(join(this.#directory, folder, name));
    }
  }

  async #readState(): Promise<IndexState | undefined> {
    const file = join(this.#directory, STATE);
    const text = await readFile(file, 'utf8').catch(absent);
    if (text === undefined) return undefined;
    const state = parseState(text);
    const { program } = state ? (JSON.parse(text) as { program?: unknown }) : {};
    if (state && program !== undefined && program !== this.#program) {
      throw new TargetError(`${file} belongs to the program '${program}': choose another directory`);
    }
    if (state) return state;
    const advice = `${UNREADABLE}; else choose another directory, or remove it`;
    throw new TargetError(`${file} is not the state of an index. ${advice}`);
  }

  async write(changes: readonly DocumentChange[], state: IndexState): Promise<void> {
    for (const { uri, document } of changes) {
      const file = this.#fileOf(uri, state.run);
      if (document === null) await rm(file, { force: true });
      else await writeWhole(file, `${JSON.stringify({ id: uri, ...document })}\n`);
    }
    await writeWhole(join(this.#directory, STATE), `${stateText({ program: this.#program, ...state })}\n`);
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
  try {
    await writeFile(draft, text).catch(async (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
      await mkdir(dirname(file), { recursive: true });
      await writeFile(draft, text);
    });
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => {});
    const { code = '', message } = error as NodeJS.ErrnoException;
    throw lasting.has(code) ? new TargetError(message) : error;
  }
}

function absent(error: NodeJS.ErrnoException): undefined {
  if (lasting.has(error.code ?? '')) throw new TargetError(error.message);
  if (error.code !== 'ENOENT') throw error;
}

/** For a file that is no folder, or one that is gone. */
function noNames(): string[] {
  return [];
}
