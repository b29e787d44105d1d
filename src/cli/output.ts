import { once } from 'node:events';
import {
  accessSync,
  chmodSync,
  constants,
  createWriteStream,
  lstatSync,
  readlinkSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { rename } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { syncDirectory } from '../journal/disk/durable-directory.ts';
import { FileDraft } from './file-draft.ts';

/** A file that is written under another name beside its own. */
interface DraftedFile {
  readonly file: string;
  readonly draft: FileDraft;
}

/**
 * The destination of a command's output: a file, or standard output. A file is written as a draft
 * beside it, and renamed when it is complete and on disk. So it is never there in part, and what
 * was there before stays until then.
 */
export class Output {
  readonly #stream: Writable;
  /** Undefined for standard output, and for what is not a regular file, such as a pipe. */
  readonly #drafted: DraftedFile | undefined;
  #error: Error | undefined;

  /**
   * Opens a file, or standard output. Throws if it can't be written. Permissions of a file that is
   * there already are kept, and symbolic links to it. `notice` learns of drafts of other commands.
   */
  static async open(file: string | undefined, notice: (message: string) => void): Promise<Output> {
    if (file === undefined) return new Output(process.stdout);
    const found = statSync(file, { throwIfNoEntry: false });
    if (!found) requireNoLink(file);
    if (found && !found.isFile()) return new Output(await opened(file, {}));
    const path = found ? realpathSync(file) : resolve(file);
    const draft = new FileDraft(dirname(path), basename(path), notice);
    // Renaming would replace even a file that is protected against writing.
    if (found) accessSync(path, constants.W_OK);
    const stream = await opened(draft.path, { flags: 'wx', flush: true, mode: found ? 0o600 : 0o666 });
    if (found) chmodSync(draft.path, found.mode & 0o777);
    return new Output(stream, { file: path, draft });
  }

  private constructor(stream: Writable, drafted?: DraftedFile) {
    this.#stream = stream;
    this.#drafted = drafted;
    stream.on('error', (error) => {
      this.#error = error;
    });
  }

  /** Waits while the reader does not keep up. Throws if nothing can be written any more. */
  async write(bytes: Uint8Array): Promise<void> {
    if (!this.#error && !this.#stream.write(bytes)) await once(this.#stream, 'drain').catch(() => {});
    if (this.#error) throw this.#error;
  }

  /** Resolves when everything has been written, and a file has its name. */
  async close(): Promise<void> {
    if (this.#error) throw this.#error;
    if (this.#stream === process.stdout) return;
    this.#stream.end();
    await finished(this.#stream);
    if (!this.#drafted) return;
    const { file, draft } = this.#drafted;
    await rename(draft.path, file);
    draft.release();
    await syncDirectory(dirname(file));
  }

  /** Ends the output without a file. */
  discard(): void {
    if (this.#stream !== process.stdout) this.#stream.destroy();
    this.#drafted?.draft.remove();
  }
}

/** A file in the place of a link that leads nowhere would not be where the link says. */
function requireNoLink(file: string): void {
  if (lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return;
  const target = readlinkSync(file);
  throw new Error(
    `${file} is a symbolic link that leads nowhere (to ${target}). Remove it, or create its target.`,
  );
}

async function opened(path: string, options: object): Promise<Writable> {
  const stream = createWriteStream(path, options);
  await once(stream, 'open');
  return stream;
}
