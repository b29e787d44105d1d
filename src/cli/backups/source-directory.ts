/** The files of a data directory, as a backup copies them while a server may use it. */
import { createHash } from 'node:crypto';
import { type FileHandle, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../errors.ts';
import type { NodeDisk } from '../../journal/disk/node-disk.ts';
import type { FileDigest } from '../../pool/file-digest.ts';
import {
  checkpointFiles,
  findCheckpoint,
  isFileOf,
  listCheckpointFiles,
  type StoredCheckpoint,
} from '../../store/checkpoint/checkpoint.ts';
import { PieceDigester } from '../../store/checkpoint/piece-digests.ts';
import { contentPath } from '../../store/content/referenced-content.ts';
import { retainedPatchName } from '../../store/history/retained-files.ts';
import type { PatchReference } from '../../store/patch/patch.ts';
import type { NamedFile } from './manifest.ts';
import { DIGEST, FOLDER, type StoredFiles, WINDOW_BYTES } from './stored-files.ts';

/** Copies files to a repository; it can be interrupted between any two pieces of a mebibyte. */
export class Copier {
  readonly #from: NodeDisk;
  readonly #to: StoredFiles;
  readonly #onPiece: (path: string) => void;

  /** `onPiece`: called before each piece of a file is read; may throw to stop. */
  constructor(from: NodeDisk, to: StoredFiles, onPiece: (path: string) => void) {
    this.#from = from;
    this.#to = to;
    this.#onPiece = onPiece;
  }

  /** Copies the patch file that the record of a commit names. Throws `ENOENT`, `data-damaged`. */
  async patch({ name, digest, bytes }: PatchReference, commit: number): Promise<NamedFile> {
    if (!(await this.#to.has({ digest, bytes }))) {
      // A checkpoint may rename it.
      const isCopied = await this.#copyIfThere(name, digest);
      if (!isCopied) await this.#copy(retainedPatchName(name, commit), digest);
    }
    return { name, bytes, digest };
  }

  /** Copies a content file. Returns false if there is none. Throws `data-damaged`. */
  async content(digest: string): Promise<boolean> {
    if ((await this.#to.sizeOf(digest)) !== undefined) return true;
    return this.#copyIfThere(contentPath(digest), digest);
  }

  async file(path: string, handle: FileHandle, watch?: (piece: Uint8Array) => void): Promise<FileDigest> {
    return this.#to.add(this.#pieces(path, handle, watch));
  }

  async #copyIfThere(path: string, digest: string): Promise<boolean> {
    try {
      await this.#copy(path, digest);
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
      throw error;
    }
  }

  async #copy(path: string, digest: string): Promise<void> {
    const handle = await open(join(this.#from.root, path), 'r');
    try {
      await this.#to.add(this.#pieces(path, handle), digest);
    } catch (error) {
      if ((error as { code?: unknown }).code !== 'data-damaged') throw error;
      throw new AppError('data-damaged', `${path} does not match its digest.`, {}, error);
    } finally {
      await handle.close();
    }
  }

  async *#pieces(
    path: string,
    handle: FileHandle,
    watch: (piece: Uint8Array) => void = () => {},
  ): AsyncGenerator<Uint8Array> {
    const window = new Uint8Array(WINDOW_BYTES);
    for (let at = 0; ; ) {
      this.#onPiece(path);
      const { bytesRead } = await handle.read(window, 0, window.length, at);
      if (bytesRead === 0) return;
      at += bytesRead;
      const piece = window.subarray(0, bytesRead);
      watch(piece);
      yield piece;
    }
  }
}

/** A checkpoint whose files are open, so that a newer one does not take them away. */
export class OpenCheckpoint {
  /** Undefined if the directory has none. */
  readonly checkpoint: StoredCheckpoint | undefined;
  readonly #files: ReadonlyMap<string, FileHandle>;

  /** Throws `ENOENT` if the checkpoint is being replaced. */
  static async open(disk: NodeDisk): Promise<OpenCheckpoint> {
    const checkpoint = await findCheckpoint(disk);
    const files = new Map<string, FileHandle>();
    try {
      for (const file of await listCheckpointFiles(disk)) {
        if (isFileOf(checkpoint, file)) files.set(file.name, await open(join(disk.root, file.name), 'r'));
      }
      if (checkpoint && !files.has(checkpointFiles(checkpoint).imageFile)) {
        throw new AppError('data-damaged', `${checkpointFiles(checkpoint).imageFile} is missing.`);
      }
      return new OpenCheckpoint(checkpoint, files);
    } catch (error) {
      await closeAll(files);
      throw error;
    }
  }

  private constructor(checkpoint: StoredCheckpoint | undefined, files: ReadonlyMap<string, FileHandle>) {
    this.checkpoint = checkpoint;
    this.#files = files;
  }

  /** Number of its commit; 0 without a checkpoint. */
  get commit(): number {
    return this.checkpoint?.sequence ?? 0;
  }

  /**
   * Copies the files, unless `known` are those of the same checkpoint, and verifies the pieces of
   * the image. Throws `data-damaged`.
   */
  async copyTo(copier: Copier, known: readonly NamedFile[]): Promise<readonly NamedFile[]> {
    const { checkpoint } = this;
    if (!checkpoint) return [];
    const { imageFile, manifestFile } = checkpointFiles(checkpoint);
    if (await this.#isIn(known, manifestFile)) return known;
    const copied: NamedFile[] = [];
    for (const [name, handle] of this.#files) {
      const digester = name === imageFile ? new PieceDigester(checkpoint.image.pieceBytes) : undefined;
      copied.push({ name, ...(await copier.file(name, handle, (piece) => digester?.update(piece))) });
      const { pieces } = digester?.digests() ?? checkpoint.image;
      if (pieces.join() !== checkpoint.image.pieces.join()) {
        throw new AppError('data-damaged', `${name} does not match the digests of its pieces.`);
      }
    }
    return copied;
  }

  close(): Promise<void> {
    return closeAll(this.#files);
  }

  /** The manifest of a checkpoint names the digests of everything in it. */
  async #isIn(known: readonly NamedFile[], manifestFile: string): Promise<boolean> {
    const file = known.find(({ name }) => name === manifestFile);
    if (!file) return false;
    const bytes = Buffer.alloc(file.bytes + 1);
    const { bytesRead } = await this.#files.get(manifestFile)!.read(bytes, 0, bytes.length, 0);
    if (bytesRead !== file.bytes) return false;
    return createHash('sha256').update(bytes.subarray(0, bytesRead)).digest('hex') === file.digest;
  }
}

async function closeAll(files: ReadonlyMap<string, FileHandle>): Promise<void> {
  for (const handle of files.values()) await handle.close();
}

/** Returns the digests of all content files, also of those that nothing refers to. */
export async function listContents(root: string): Promise<string[]> {
  const directory = join(root, 'content');
  const folders = (await namesIn(directory)).filter((name) => FOLDER.test(name));
  const names = await Promise.all(folders.map((folder) => namesIn(join(directory, folder))));
  return names.flat().filter((name) => DIGEST.test(name));
}

async function namesIn(directory: string): Promise<string[]> {
  return readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
}
