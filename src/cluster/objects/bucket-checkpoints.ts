import { createHash } from 'node:crypto';
import { AppError } from '../../errors.ts';
import { type Disk, withFile } from '../../journal/disk/disk.ts';
import { readText } from '../../journal/disk/durable-file.ts';
import type { FetchProgress, SharedCheckpoints } from '../../store/cluster/shared-checkpoints.ts';
import type { LogPosition } from '../nats/genesis.ts';
import type { SharedCheckpoint, SharedFile } from './checkpoint-entry.ts';
import { requireOwnDirectory, writeClusterFile } from './cluster-file.ts';
import { storeError } from './errors.ts';
import { shareCheckpoint, sharedCheckpoints, unfinishedImport } from './share-checkpoint.ts';
import { fetchFiles, fileBytes, type OnBytes, type PieceDigests, verifiedPieces } from './shared-files.ts';
import type { SharedPlace } from './shared-place.ts';

/** All names of the files of checkpoints begin with this. */
const FILES = 'checkpoint-';
/** How often a checkpoint is fetched that others replace meanwhile. */
const ATTEMPTS = 5;

/** The log that checkpoints cover (`JetStreamLog`). */
export interface CoveredLog {
  /** Where it is read from without a checkpoint; undefined if that was removed. */
  readonly start: LogPosition | undefined;
  /** The place behind a record at which a checkpoint was begun. */
  positionOf(commit: number): LogPosition | undefined;
  /** Sets where the log is read from. */
  startAt(position: LogPosition): void;
  /** Notes the place of a checkpoint of another process. */
  noteCheckpoint(position: LogPosition): void;
}

export interface BucketCheckpointsParts {
  /** Opens what is shared. Called for each use, since uses are rare. */
  readonly open: () => Promise<SharedPlace>;
  /** Name of the data set's identity. */
  readonly identity: string;
  readonly log: CoveredLog;
  /** Receives the progress of `fetch`: at the beginning, and after each hundredth. */
  readonly onFetch: (progress: FetchProgress) => void;
}

/**
 * The checkpoints that the processes of a cluster share. Their files are objects; the entry
 * `checkpoint` names those of the newest one, and of the one before, once they are complete. It is
 * changed by compare-and-set, so of two processes that believe to hold the lease the one with the
 * newer checkpoint wins.
 */
export class BucketCheckpoints implements SharedCheckpoints {
  readonly #parts: BucketCheckpointsParts;
  #disk: Disk | undefined;

  constructor(parts: BucketCheckpointsParts) {
    this.#parts = parts;
  }

  /**
   * Makes the newest shared checkpoint the only one in a directory, and lets the log begin behind
   * it; if there is no shared one, the directory has none afterwards. For a start. An interrupted
   * call leaves no checkpoint in the directory, or a whole one.
   *
   * Errors: `bad-arguments` for the directory of another data set or of a single server, and while
   * an import has not ended; `data-damaged`, `unavailable`.
   */
  async fetch(disk: Disk): Promise<void> {
    const { identity, log } = this.#parts;
    await requireOwnDirectory(disk, identity);
    this.#disk = disk;
    const fetched = await this.#using((place) => this.#fetchNewest(place, disk));
    const unfinished = fetched ? undefined : unfinishedImport(log.start);
    if (unfinished) throw unfinished;
    if (fetched) log.startAt(fetched.position);
    await writeClusterFile(disk, { identity, ...(fetched && { checkpoint: fetched.position }) });
  }

  /**
   * Makes a checkpoint that was installed in the directory the newest shared one, unless others
   * have shared one that is as new. Verifies the image while it is read. Then removes what is older
   * than the one before.
   *
   * @param files names of the image and the manifest
   */
  async install(files: readonly string[], commit: number): Promise<void> {
    const { identity, log } = this.#parts;
    const disk = this.#disk;
    const position = log.positionOf(commit);
    if (!disk || !position) throw new Error(`No checkpoint was begun at commit ${commit}`);
    await writeClusterFile(disk, { identity, checkpoint: position });
    const digests = await imageDigests(disk, files.at(-1)!);
    const sources = files.map((name, index) => ({
      name,
      bytes: () =>
        index === 0 ? verifiedPieces(fileBytes(disk, name), digests, name) : fileBytes(disk, name),
    }));
    await this.#using((place) => shareCheckpoint(place, sources, { identity, position }));
  }

  async refresh(): Promise<void> {
    const shared = await this.#using((place) => sharedCheckpoints(place));
    if (shared) this.#parts.log.noteCheckpoint(shared.newest.position);
  }

  async #using<T>(use: (place: SharedPlace) => Promise<T>): Promise<T> {
    const place = await storeError(() => this.#parts.open());
    try {
      return await use(place);
    } finally {
      await place.close();
    }
  }

  async #fetchNewest(place: SharedPlace, disk: Disk): Promise<SharedCheckpoint | undefined> {
    for (let attempt = 1; ; attempt++) {
      const newest = (await sharedCheckpoints(place))?.newest;
      try {
        if (newest) await this.#fetchNow(place, disk, newest);
        else await removeOtherFiles(disk, []);
        return newest;
      } catch (error) {
        // Newer checkpoints were shared meanwhile, and this one was removed.
        const wasReplaced = (error as { readonly code?: unknown }).code === 'not-found';
        if (!wasReplaced || attempt === ATTEMPTS) throw error;
      }
    }
  }

  async #fetchNow({ objects }: SharedPlace, disk: Disk, checkpoint: SharedCheckpoint): Promise<void> {
    const { identity, position, files } = checkpoint;
    if (identity !== this.#parts.identity) {
      throw new AppError(
        'data-damaged',
        `The shared checkpoint belongs to the data set ${identity}, and the log to ${this.#parts.identity}.`,
      );
    }
    if (await hasFiles(disk, files)) return removeOtherFiles(disk, files);
    await removeOtherFiles(disk, []);
    const onBytes = this.#progress(position.commit, files);
    await fetchFiles(disk, { objects, files, onBytes });
  }

  #progress(commit: number, files: readonly SharedFile[]): OnBytes {
    const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
    const tell = (done: number) => this.#parts.onFetch({ commit, done, total });
    let done = 0;
    let told = 0;
    tell(done);
    return (bytes) => {
      done += bytes;
      if (done - told < total / 100 && done < total) return;
      told = done;
      tell(done);
    };
  }
}

/** Whether the files are in a directory: the manifest as it is shared, the image with its size. */
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
