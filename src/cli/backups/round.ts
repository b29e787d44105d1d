/**
 * One backup of a data directory into a repository, whether a server is using the directory or not.
 * The order of the steps makes it complete:
 *
 * 1. the files of the checkpoint are opened, and then nobody can take them away;
 * 2. content files that the repository lacks are copied: those that vanish meanwhile were removed
 *    by a commit that step 3 reads;
 * 3. the records since the last backup are copied, with the files and the content that they name;
 * 4. the checkpoint is copied, unless the last backup has the same;
 * 5. the manifest is written.
 *
 * If a checkpoint takes away what is being read, everything is done again. Stored files have the
 * names of their digests, so nothing is copied twice.
 */
import { stat } from 'node:fs/promises';
import { AppError, toErrorData } from '../../errors.ts';
import type { NodeDisk } from '../../journal/disk/node-disk.ts';
import { newToken } from '../../journal/disk/unique-names.ts';
import type { FileDigest } from '../../pool/file-digest.ts';
import { contentPath } from '../../store/content/referenced-content.ts';
import { retainedPatchName } from '../../store/history/retained-files.ts';
import { hasIdentity, readIdentity } from '../../store/registry/identity.ts';
import { mayComeRight } from '../backup.ts';
import { openDataDirectory } from '../data-directory.ts';
import type { WorkDisplay } from '../work-display.ts';
import type { NamedContents } from './content-names.ts';
import { JournalSource } from './journal-source.ts';
import type { KeepRule } from './keep.ts';
import {
  contentListsOf,
  filesOf,
  type Gap,
  type Manifest,
  type NamedFile,
  type Segment,
} from './manifest.ts';
import { prune } from './prune.ts';
import { Repository } from './repository.ts';
import { lockRepository, type RepositoryLock } from './repository-lock.ts';
import { countInPatch, noFacts, recordDigest, type SegmentFacts, segmentBytes } from './segment-writer.ts';
import { Copier, listContents, OpenCheckpoint } from './source-directory.ts';

/** An attempt takes as long as copying what is new. Checkpoints can end several of them. */
const ATTEMPTS = 30;
/** A restore reads the segments since the checkpoint one by one. More than these become one. */
const MAX_SEGMENTS = 64;

/** What is backed up, and where. */
export interface BackupTask {
  readonly directory: string;
  readonly repository: string;
  /** Undefined to keep all backups. */
  readonly keep: KeepRule | undefined;
  /** Whether the repository must be there already; otherwise it is made if it is missing. */
  readonly isThere?: boolean;
}

/** How a backup tells what it does, and is interrupted. */
export interface Surroundings {
  readonly notice: (message: string) => void;
  readonly display: WorkDisplay;
  readonly signal: AbortSignal;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export interface RoundResult {
  readonly manifest: Manifest;
  readonly addedBytes: number;
  readonly removedBackups: number;
}

/**
 * Adds a backup to the repository, which is made if it is missing, and removes the backups that
 * `keep` does not keep. Errors: `not-found`, `bad-arguments`, `data-damaged`, `data-locked`,
 * `store-full`, and the reason of `signal`.
 */
export async function backupOnce(task: BackupTask, around: Surroundings): Promise<RoundResult> {
  const source = await openDataDirectory(task.directory);
  const identity = await identityOf(source, task.directory);
  const { mode } = await stat(source.root);
  const repository = await Repository.openFor(task.repository, identity, {
    isThere: task.isThere ?? false,
    mode: mode & 0o777,
    notice: around.notice,
  });
  const lock = await lockRepository(repository.root, around.notice);
  try {
    return await addBackup({ source, repository, keep: task.keep }, { ...around, lock });
  } finally {
    await lock.release();
  }
}

interface Places {
  readonly source: NodeDisk;
  readonly repository: Repository;
  readonly keep: KeepRule | undefined;
}

/** Makes a backup, then removes old ones; or the other way round, if the disk is full. */
async function addBackup(
  { source, repository, keep }: Places,
  around: RoundSurroundings,
): Promise<RoundResult> {
  const before = (await repository.backups()).manifests.at(-1);
  const hasLeftovers = await repository.begin();
  // A clock that is ahead once must not make all backups old.
  const now = Math.min(around.now(), before?.time ?? Number.POSITIVE_INFINITY);
  const make = () => new Round(source, repository, around).make();
  let removedBackups = 0;
  const { manifest, attempts } = await make().catch(async (error: unknown) => {
    if (toErrorData(error).code !== 'store-full') throw error;
    removedBackups = await prune(repository, { keep, now, sweeps: false }, around);
    if (removedBackups === 0) throw error;
    return make();
  });
  removedBackups += await prune(repository, { keep, now, sweeps: hasLeftovers || attempts > 1 }, around);
  await repository.files.end();
  return { manifest, addedBytes: repository.files.added.bytes, removedBackups };
}

/** A data set gets its identity when a server opens it for the first time. */
async function identityOf(source: NodeDisk, directory: string): Promise<string> {
  if (await hasIdentity(source)) return (await readIdentity(source, 0)).name;
  const message = `${directory} has no identity yet. Start a server on it once, or copy it with "pathpool backup" and no options.`;
  throw new AppError('bad-arguments', message);
}

interface RoundSurroundings extends Surroundings {
  readonly lock: RepositoryLock;
}

class Round {
  readonly #source: NodeDisk;
  readonly #repository: Repository;
  readonly #around: RoundSurroundings;
  readonly #copier: Copier;
  /** Content that the data directory has lost, or that does not match its digest. */
  readonly #damaged = new Set<string>();
  /** Content that had vanished in an earlier attempt. */
  readonly #vanished = new Set<string>();

  constructor(source: NodeDisk, repository: Repository, around: RoundSurroundings) {
    this.#source = source;
    this.#repository = repository;
    this.#around = around;
    this.#copier = new Copier(source, repository.files, (path) => {
      around.signal.throwIfAborted();
      around.display.show(`copying ${path}`);
    });
  }

  async make(): Promise<{ manifest: Manifest; attempts: number }> {
    const before = (await this.#repository.backups()).manifests.at(-1);
    const known = await this.#knownContents(before);
    let use = await this.#useOf(before);
    let earlier = '';
    for (let attempts = 1; ; attempts++) {
      try {
        const manifest = await this.#attempt({ before, use }, known);
        await this.#write(manifest);
        return { manifest, attempts };
      } catch (error) {
        const { message } = toErrorData(error);
        if (attempts === ATTEMPTS || !mayComeRight(error)) throw error;
        if (message === earlier) {
          // The same again is no accident. A server does not read all of the history, so that may
          // be damaged where the checkpoint and the journal are not.
          if (!before || use === 'nothing') throw error;
          use = 'nothing';
          this.#around.notice(`A new history begins, since the last one can't be continued: ${message}`);
        }
        earlier = message;
      }
    }
  }

  /** Another process that took over meanwhile may have removed files that this backup needs. */
  async #write(manifest: Manifest): Promise<void> {
    const { requireHeld } = this.#around.lock;
    await requireHeld();
    await this.#repository.write(manifest);
    await requireHeld().catch(async (error: unknown) => {
      await this.#repository.remove([manifest]);
      throw error;
    });
  }

  async #useOf(before: Manifest | undefined): Promise<Use> {
    for (const file of before ? filesOf(before) : []) {
      if (await this.#repository.files.has(file)) continue;
      this.#around.notice(`The last backup lacks the stored file ${file.digest}. This one copies all anew.`);
      return 'history';
    }
    return 'files';
  }

  async #attempt({ before, use }: Earlier, known: ReadonlySet<string>): Promise<Manifest> {
    const time = Math.max(this.#around.now(), (before?.time ?? 0) + 1);
    const open = await OpenCheckpoint.open(this.#source);
    try {
      // No newer checkpoint may be made before the journal is opened, so this takes little time.
      const listed = await listContents(this.#source.root);
      const journal = await JournalSource.open(this.#source, open.checkpoint);
      const present = await this.#copyContents(listed, known);
      this.#requireContents(listed.filter((digest) => !present.has(digest)));
      const start = await startOf(journal, open, { before, use });
      const facts = noFacts();
      const added = await this.#copyRecords(journal, start.from, facts);
      const named = await this.#copyNamedContents(facts.contents, known);
      for (const digest of named) if ((facts.contents.get(digest) ?? 0) > 0) present.add(digest);
      const contents = named.size > 0 ? await this.#repository.files.addList(named) : undefined;
      const segments = added ? [{ ...added, ...(contents && { contents }) }] : [];
      const newest = facts.newest ?? start.carried?.newest;
      const stored = before && use === 'files' ? before.base.files : [];
      return {
        identity: this.#repository.identity,
        chain: start.carried?.chain ?? newToken(),
        time,
        commit: journal.commit,
        base: { commit: open.commit, files: await open.copyTo(this.#copier, stored) },
        segments: [...start.segments, ...segments],
        contents: await this.#repository.files.addList(present),
        ...(newest !== undefined && { newest }),
        ...(start.gap && { gap: start.gap }),
      };
    } finally {
      await open.close();
    }
  }

  /** The content that is stored; if a list can't be read, the files are looked at one by one. */
  async #knownContents(before: Manifest | undefined): Promise<ReadonlySet<string>> {
    const known = new Set<string>();
    const stored = await this.#repository.files.digests();
    for (const list of before ? contentListsOf(before) : []) {
      try {
        for (const digest of await this.#repository.files.readList(list)) {
          if (stored.has(digest)) known.add(digest);
        }
      } catch (error) {
        if (toErrorData(error).code !== 'data-damaged') throw error;
        this.#around.notice(toErrorData(error).message);
      }
    }
    return known;
  }

  /** Returns the digests that are in the repository then; the others have vanished. */
  async #copyContents(digests: Iterable<string>, known: ReadonlySet<string>): Promise<Set<string>> {
    const stored = new Set<string>();
    for (const digest of digests) {
      if (known.has(digest) || (await this.#copyContent(digest))) stored.add(digest);
    }
    return stored;
  }

  /** Content that is damaged must not keep everything else from being backed up. */
  async #copyContent(digest: string): Promise<boolean> {
    if (this.#damaged.has(digest)) return false;
    try {
      return await this.#copier.content(digest);
    } catch (error) {
      const { code, message } = toErrorData(error);
      if (code !== 'data-damaged') throw error;
      this.#leaveOut(digest, message);
      return false;
    }
  }

  /**
   * Content that has vanished may be in use at this commit, and removed by a newer one, which the
   * next attempt reads. Where that still needs it, it is missing.
   */
  #requireContents(lost: readonly string[]): void {
    const needed = lost.filter((digest) => !this.#damaged.has(digest));
    const first = needed.find((digest) => !this.#vanished.has(digest));
    for (const digest of needed) this.#vanished.add(digest);
    if (first !== undefined) throw vanished(`The content file ${first}`);
    for (const digest of needed) this.#leaveOut(digest, `${contentPath(digest)} is missing.`);
  }

  #leaveOut(digest: string, reason: string): void {
    this.#damaged.add(digest);
    this.#around.notice(`${reason} It is not in this backup: store the same bytes again.`);
  }

  async #copyRecords(
    journal: JournalSource,
    first: number,
    facts: SegmentFacts,
  ): Promise<Segment | undefined> {
    const last = journal.commit;
    if (last < first) return undefined;
    this.#around.display.show(`copying commits ${first} to ${last}`);
    const version = await journal.versionFrom(first);
    const records = untilAborted(journal.recordsFrom(first), this.#around.signal);
    const bytes = segmentBytes(records, { first, version }, facts);
    const file: FileDigest = await this.#repository.files.add(bytes);
    const patches: NamedFile[] = [];
    for (const { reference, commit } of facts.patches) {
      const patch = await this.#copier.patch(reference, commit);
      patches.push(patch);
      await this.#countPatch(reference, commit, facts.contents);
    }
    return { first, last, file, patches };
  }

  async #countPatch(
    reference: SegmentFacts['patches'][number]['reference'],
    commit: number,
    contents: NamedContents,
  ): Promise<void> {
    const { name } = reference;
    const retained = { ...reference, name: retainedPatchName(name, commit) };
    const isThere = (await this.#source.list('')).includes(name);
    await countInPatch(this.#source, isThere ? reference : retained, contents);
  }

  /** Copies the content that records name. Throws `ENOENT` if what is still in use has vanished. */
  async #copyNamedContents(counts: NamedContents, known: ReadonlySet<string>): Promise<Set<string>> {
    const stored = await this.#copyContents(counts.keys(), known);
    const lost = [...counts.keys()].filter((digest) => !stored.has(digest));
    this.#requireContents(lost.filter((digest) => counts.get(digest)! > 0));
    const removed = lost.filter((digest) => !this.#damaged.has(digest));
    if (removed.length > 0) {
      this.#around.notice(
        `${removed.length} content files were stored and removed again since the last backup. They are in no backup; the commits are.`,
      );
    }
    return stored;
  }
}

async function* untilAborted<T>(all: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  for await (const each of all) {
    signal.throwIfAborted();
    yield each;
  }
}

function vanished(what: string): Error {
  return Object.assign(new Error(`${what} has vanished during the backup.`), { code: 'ENOENT' });
}

/** What a backup uses of the one before: its files, its history alone, or nothing. */
type Use = 'files' | 'history' | 'nothing';

interface Earlier {
  readonly before: Manifest | undefined;
  readonly use: Use;
}

/** Where the new records of a backup begin. */
interface Start {
  readonly from: number;
  /** Segments of the backup before that this one needs, too. */
  readonly segments: readonly Segment[];
  /** The backup before, if its history goes on. */
  readonly carried: Manifest | undefined;
  readonly gap: Gap | undefined;
}

async function startOf(
  journal: JournalSource,
  { checkpoint, commit: base }: OpenCheckpoint,
  { before, use }: Earlier,
): Promise<Start> {
  if (!before) return { from: base + 1, segments: [], carried: undefined, gap: undefined };
  // Statements that `pathpool load` has added are in no record.
  const wasLoaded = checkpoint?.loaded !== undefined && before.base.commit < base;
  if (use === 'nothing' || wasLoaded || !(await continues(journal, before))) {
    const lost = { first: before.commit + 1, last: base - 1 };
    const gap = lost.first <= lost.last ? lost : undefined;
    return { from: base + 1, segments: [], carried: undefined, gap };
  }
  const segments = before.segments.filter(({ last }) => last > base);
  if (use === 'files' && segments.length < MAX_SEGMENTS) {
    return { from: before.commit + 1, segments, carried: before, gap: undefined };
  }
  const from = Math.min(base, before.commit) + 1;
  return { from, segments: [], carried: before, gap: undefined };
}

/**
 * Whether the newest record of a backup is still the record with that number. Records at the end
 * that were not acknowledged may be replaced by others after a crash.
 */
async function continues(journal: JournalSource, { commit, newest }: Manifest): Promise<boolean> {
  if (journal.commit < commit || !journal.hasAllFrom(commit + 1)) return false;
  if (newest === undefined) return journal.commit === commit || journal.first <= commit + 1;
  if (journal.first > commit) return false;
  for await (const { payload } of journal.recordsFrom(commit)) return recordDigest(payload) === newest;
  return false;
}
