/**
 * `pathpool backup nats://…`: the data of a cluster as an ordinary data directory: the newest
 * checkpoint, the records behind it as a journal, and the content files that this state refers to.
 * Nothing of the cluster is changed. If a newer checkpoint or commit removes what is being read,
 * the copy is made anew.
 */
import { mkdir, rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { JetStreamLog } from '../../cluster/nats/jetstream-log.ts';
import { sharedCheckpoints, unfinishedImport } from '../../cluster/objects/share-checkpoint.ts';
import { contentObject } from '../../cluster/objects/shared-content.ts';
import { fetchFiles, fetchTo } from '../../cluster/objects/shared-files.ts';
import type { ClusterSettings } from '../../cluster/settings.ts';
import { AppError } from '../../errors.ts';
import { makeDurableDirectory } from '../../journal/disk/durable-directory.ts';
import { NodeDisk } from '../../journal/disk/node-disk.ts';
import { createJournalFile } from '../../journal/file-list.ts';
import { type Journal, openJournal } from '../../journal/journal.ts';
import { type JournalRecord, NEW_FORMAT_VERSION } from '../../journal/record.ts';
import { contentPath, referencedContent } from '../../store/content/referenced-content.ts';
import { readData } from '../../store/recovery/load-data.ts';
import { syncAll } from '../backup.ts';
import { BackupPlace } from '../backup-place.ts';
import { type ExistingCluster, openExisting } from './existing-log.ts';
import type { Stages } from './stages.ts';

const ATTEMPTS = 5;
/** Records are appended together up to this size: each time, the disk is waited for. */
const APPEND_BYTES = 8 * 2 ** 20;
/** Only the owner may read the copy, which has all data. */
const MODE = 0o700;

export interface CommandReport {
  /** Receives messages about what is wrong. */
  readonly notice: (message: string) => void;
  readonly stages: Stages;
}

/**
 * Copies to a directory that is new or empty. Resolves with the number of the newest commit once
 * the copy has been verified and is on disk. It has everything that was acknowledged before the
 * call. Errors: `not-found`, `bad-arguments`, `data-damaged`, `unavailable`.
 */
export async function backupCluster(
  settings: ClusterSettings,
  target: string,
  report: CommandReport,
): Promise<number> {
  const place = await BackupPlace.choose(resolve(target), report.notice);
  try {
    const sequence = await copyTo(place.draft.path, settings, report);
    await place.complete();
    return sequence;
  } finally {
    place.draft.remove();
  }
}

async function copyTo(draft: string, settings: ClusterSettings, report: CommandReport): Promise<number> {
  for (let attempt = 1; ; attempt++) {
    const cluster = await openExisting(settings, report.notice);
    try {
      await makeDurableDirectory(draft, MODE);
      const sequence = await copyOnce(new NodeDisk(draft), cluster, report.stages);
      await syncAll(draft);
      return sequence;
    } catch (error) {
      if (!wasRemoved(error)) throw error;
      if (attempt === ATTEMPTS) throw missing(error);
      await rm(draft, { recursive: true, force: true });
    } finally {
      await cluster.close();
    }
  }
}

async function copyOnce(disk: NodeDisk, { log, place }: ExistingCluster, stages: Stages): Promise<number> {
  const newest = (await sharedCheckpoints(place))?.newest;
  const unfinished = newest ? undefined : unfinishedImport(log.start);
  if (unfinished) throw unfinished;
  if (newest) {
    // A checkpoint is always followed by a journal file, so that a missing one is noticed.
    await createJournalFile(disk, newest.position.commit + 1);
    stages.begin(
      'fetching the checkpoint',
      newest.files.reduce((sum, { bytes }) => sum + bytes, 0),
    );
    await fetchFiles(disk, { objects: place.objects, files: newest.files, onBytes: stages.add });
    log.startAt(newest.position);
  }
  stages.begin('fetching the records behind it', 0);
  const checkpoint = log.position.commit;
  const journal = await openJournal(disk, { checkpoint });
  await copyRecords(log, checkpoint, journal);
  // Seals it, so that later damage is recognised.
  await journal.close();
  return copyContents(disk, place, stages);
}

async function copyRecords(log: JetStreamLog, after: number, journal: Journal): Promise<void> {
  let records: JournalRecord[] = [];
  let bytes = 0;
  const flush = async () => {
    await journal.append(records);
    records = [];
    bytes = 0;
  };
  await log.replay(after + 1, (sequence, payload) => {
    // Earlier releases refuse this version, whatever the terms are; they have no clusters.
    records.push({ sequence, payload: [Uint8Array.from(payload)], version: NEW_FORMAT_VERSION });
    bytes += payload.length;
    return bytes >= APPEND_BYTES ? flush() : undefined;
  });
  await flush();
}

/** Verifies the copy, and adds the content that it refers to. Returns the newest commit. */
async function copyContents(
  disk: NodeDisk,
  { objects }: ExistingCluster['place'],
  stages: Stages,
): Promise<number> {
  const damaged = (message: string): never => {
    throw new AppError('data-damaged', message);
  };
  const { sequence, writer } = await readData(disk, damaged);
  const contents = referencedContent(writer.reader());
  stages.begin(
    'fetching content',
    contents.reduce((sum, { bytes }) => sum + bytes, 0),
  );
  for (const { digest, bytes } of contents) {
    const path = contentPath(digest);
    await mkdir(dirname(`${disk.root}/${path}`), { recursive: true });
    const file = { object: contentObject(digest), bytes, digest };
    await fetchTo(disk, path, { objects, file, onBytes: stages.add });
  }
  return sequence;
}

/** Nothing newer has replaced what is missing: it is missing at each attempt. */
function missing(error: unknown): unknown {
  const { code, message } = error as { readonly code?: unknown; readonly message: string };
  return code === 'not-found' ? new AppError('data-damaged', message, {}, error) : error;
}

/** Whether an error says that newer commits or checkpoints have removed what was being read. */
function wasRemoved(error: unknown): boolean {
  const { code, details } = error as { readonly code?: unknown; readonly details?: { case?: unknown } };
  return code === 'not-found' || details?.case === 'purged';
}
