import { createHash } from 'node:crypto';
import { AppError } from '../../errors.ts';
import { type Disk, withFile } from '../../journal/disk/disk.ts';
import { readText } from '../../journal/disk/durable-file.ts';
import { newToken } from '../../journal/disk/unique-names.ts';
import type { Entries, Entry } from '../membership/entries.ts';
import { persistently } from '../nats/patience.ts';
import type { ObjectBucket, StoredObject } from './bucket.ts';
import {
  CHECKPOINT_KEY,
  type CheckpointEntry,
  entryText,
  type LogPosition,
  readEntry,
  type SharedCheckpoint,
  type SharedFile,
} from './checkpoint-entry.ts';
import { requireOwnDirectory, writeClusterFile } from './cluster-file.ts';
import { storeError } from './errors.ts';
import { fetchFile, fileBytes, type OnBytes, type PieceDigests, verifiedPieces } from './shared-files.ts';

const PREFIX = 'checkpoint/';
/** All names of the files of checkpoints begin with this. */
const FILES = 'checkpoint-';
/** How often a checkpoint is fetched that others replace meanwhile. */
const ATTEMPTS = 5;
/** Uploads that nothing was added to for so long have ended, in milliseconds. */
const UNFINISHED_MS = 3_600_000;

export interface ObjectCheckpointsParts {
  readonly objects: ObjectBucket;
  /** The bucket of entries without expiry. */
  readonly entries: Entries;
  /** Name of the data set's identity. */
  readonly identity: string;
  /** Where the log continues after a checkpoint of this process that covers a commit. */
  readonly positionOf: (commit: number) => LogPosition;
  /** Receives messages about what takes long, for operators. */
  readonly notice: (message: string) => void;
}

/** What a process uploads: the manifest is the last one. */
export interface CheckpointSource {
  readonly name: string;
  /** Each chunk is valid until the next one is asked for. */
  readonly bytes: () => AsyncIterable<Uint8Array>;
}

/**
 * The checkpoints that the processes of a cluster share. Their files are objects; the entry
 * `checkpoint` names those of the newest one, and of the one before, once they are complete. It is
 * changed by compare-and-set, so of two processes that believe to hold the lease one wins.
 */
export class ObjectCheckpoints {
  readonly #parts: ObjectCheckpointsParts;
  #disk: Disk | undefined;
  #position: LogPosition | undefined;

  constructor(parts: ObjectCheckpointsParts) {
    this.#parts = parts;
  }

  /** Where the log continues after the checkpoint that was fetched; undefined if there is none. */
  get position(): LogPosition | undefined {
    return this.#position;
  }

  /** Returns the newest checkpoint and the one before; undefined if none was shared yet. */
  async shared(): Promise<CheckpointEntry | undefined> {
    const found = await this.#entry();
    return found && readEntry(found);
  }

  /**
   * Makes the newest shared checkpoint the only one in a directory; if there is no shared one, the
   * directory has none afterwards. For a start. An interrupted call leaves no checkpoint in the
   * directory, or a whole one.
   *
   * Errors: `bad-arguments` for the directory of another data set or of a single server;
   * `data-damaged`, `unavailable`.
   */
  async fetch(disk: Disk): Promise<void> {
    const { identity } = this.#parts;
    await requireOwnDirectory(disk, identity);
    this.#disk = disk;
    for (let attempt = 1; ; attempt++) {
      const newest = (await this.shared())?.newest;
      try {
        if (newest) await this.#fetchNow(disk, newest);
        else await removeOtherFiles(disk, []);
        this.#position = newest?.position;
        const checkpoint = newest && { commit: newest.commit, position: newest.position };
        return await writeClusterFile(disk, { identity, ...(checkpoint && { checkpoint }) });
      } catch (error) {
        // Newer checkpoints were shared meanwhile, and this one was removed.
        const wasReplaced = (error as { readonly code?: unknown }).code === 'not-found';
        if (!wasReplaced || attempt === ATTEMPTS) throw error;
      }
    }
  }

  /**
   * Makes a checkpoint that was installed in the directory the newest shared one, unless others
   * have shared one that is as new. Verifies the image while it is read. Then removes what is older
   * than the one before.
   *
   * @param files names of the image and the manifest
   */
  async install(files: readonly string[], commit: number): Promise<void> {
    const disk = this.#disk;
    if (!disk) throw new Error('The directory of the checkpoints is not known before fetch');
    const position = this.#parts.positionOf(commit);
    await writeClusterFile(disk, { identity: this.#parts.identity, checkpoint: { commit, position } });
    const digests = await imageDigests(disk, files.at(-1)!);
    const sources = files.map((name, index) => ({
      name,
      bytes: () =>
        index === 0 ? verifiedPieces(fileBytes(disk, name), digests, name) : fileBytes(disk, name),
    }));
    await this.share(sources, { commit, position });
  }

  /** Uploads a checkpoint, and makes it the newest one, unless others have shared one as new. */
  async share(
    sources: readonly CheckpointSource[],
    { commit, position }: Pick<SharedCheckpoint, 'commit' | 'position'>,
  ): Promise<void> {
    const { objects, identity } = this.#parts;
    const found = await this.#entry();
    const old = found && readEntry(found);
    if (old && old.newest.commit >= commit) return;
    const stored = await this.#upload(sources);
    const files = stored.map(({ file }) => file);
    const newest = { commit, identity, position, time: Date.now(), files };
    const text = entryText({ newest, ...(old && { before: old.newest }) });
    if (await this.#replace(found, text)) return this.#removeOld(old, { newest, before: old?.newest });
    for (const { object } of stored) await objects.remove(object);
  }

  #entry(): Promise<Entry | undefined> {
    return storeError(() => persistently(() => this.#parts.entries.get(CHECKPOINT_KEY)));
  }

  /** Sets the entry if it is still as it was found. Returns whether it is set. */
  async #replace(found: Entry | undefined, value: string): Promise<boolean> {
    const { entries } = this.#parts;
    const revision = await storeError(() =>
      persistently(() =>
        found ? entries.update({ ...found, value }) : entries.create(CHECKPOINT_KEY, value),
      ),
    );
    // A change whose answer was lost looks like that of another process.
    return revision !== undefined || (await this.#entry())?.value === value;
  }

  async #upload(
    sources: readonly CheckpointSource[],
  ): Promise<{ readonly file: SharedFile; readonly object: StoredObject }[]> {
    const { objects } = this.#parts;
    // Nobody else uses this name, so others can't remove or replace the objects before they count.
    const folder = `${PREFIX}${newToken()}/`;
    const stored: { readonly file: SharedFile; readonly object: StoredObject }[] = [];
    try {
      for (const { name, bytes } of sources) {
        const object = await objects.put({ name: folder + name }, bytes());
        const file = { name, object: object.name, bytes: object.bytes, digest: object.digest };
        stored.push({ file, object });
      }
      return stored;
    } catch (error) {
      for (const { object } of stored) await objects.remove(object).catch(() => {});
      throw error;
    }
  }

  /** Removes what is no longer needed, and the remains of uploads that did not complete. */
  async #removeOld(
    old: CheckpointEntry | undefined,
    kept: { readonly newest: SharedCheckpoint; readonly before: SharedCheckpoint | undefined },
  ): Promise<void> {
    const { objects } = this.#parts;
    const namesOf = (checkpoint: SharedCheckpoint | undefined) =>
      checkpoint?.files.map(({ object }) => object) ?? [];
    const needed = new Set([...namesOf(kept.newest), ...namesOf(kept.before)]);
    const outdated = new Set(namesOf(old?.before));
    for await (const object of objects.list(PREFIX)) {
      if (needed.has(object.name)) continue;
      const hasEnded = outdated.has(object.name) || object.modified <= Date.now() - UNFINISHED_MS;
      if (hasEnded) await objects.remove(object);
    }
    await objects.removeUnfinished(UNFINISHED_MS);
  }

  async #fetchNow(disk: Disk, { identity, commit, files }: SharedCheckpoint): Promise<void> {
    if (identity !== this.#parts.identity) {
      throw new AppError(
        'data-damaged',
        `The shared checkpoint belongs to the data set ${identity}, and the log to ${this.#parts.identity}.`,
      );
    }
    if (await hasFiles(disk, files)) return removeOtherFiles(disk, files);
    await removeOtherFiles(disk, []);
    const onBytes = this.#progress(commit, files);
    const manifest = files.at(-1);
    for (const file of files) {
      // The checkpoint exists with its manifest, so all else must be durable before.
      if (file === manifest) await disk.syncDirectory('');
      await fetchFile(disk, { objects: this.#parts.objects, file, onBytes }, file === manifest);
    }
    await disk.syncDirectory('');
  }

  /** Tells at the beginning, and after each tenth, how much has been fetched. */
  #progress(commit: number, files: readonly SharedFile[]): OnBytes {
    const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
    const megabytes = (bytes: number) => (bytes / 1e6).toFixed(1);
    let done = 0;
    let tenths = -1;
    const onBytes: OnBytes = (bytes) => {
      done += bytes;
      const reached = Math.floor((10 * done) / Math.max(1, total));
      if (reached === tenths) return;
      tenths = reached;
      this.#parts.notice(
        `Fetching the checkpoint at commit ${commit}: ${megabytes(done)} of ${megabytes(total)} MB.`,
      );
    };
    onBytes(0);
    return onBytes;
  }
}

/** Whether the files are in a directory: the manifest as it should be, the others by name and size. */
async function hasFiles(disk: Disk, files: readonly SharedFile[]): Promise<boolean> {
  const names = new Set(await disk.list(''));
  const manifest = files.at(-1);
  for (const file of files) {
    if (!names.has(file.name)) return false;
    const isSame =
      file === manifest
        ? digestOf(await readText(disk, file.name)) === file.digest
        : (await withFile(disk, file.name, 'read', (opened) => opened.size())) === file.bytes;
    if (!isSame) return false;
  }
  return true;
}

/** Manifests go first: a manifest without its image would be a damaged checkpoint. */
async function removeOtherFiles(disk: Disk, kept: readonly SharedFile[]): Promise<void> {
  const names = new Set(kept.map(({ name }) => name));
  const others = (await disk.list('')).filter((name) => name.startsWith(FILES) && !names.has(name));
  const manifests = others.filter((name) => name.endsWith('.json'));
  for (const name of manifests) await disk.remove(name);
  if (manifests.length > 0) await disk.syncDirectory('');
  for (const name of others) if (!name.endsWith('.json')) await disk.remove(name);
}

/** The manifest has the digests of the image's pieces, as they were written. */
async function imageDigests(disk: Disk, manifest: string): Promise<PieceDigests> {
  const [line = ''] = (await readText(disk, manifest)).split('\n', 1);
  return (JSON.parse(line) as { readonly image: PieceDigests }).image;
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
