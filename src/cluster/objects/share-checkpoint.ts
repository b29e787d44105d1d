import { AppError } from '../../errors.ts';
import { newToken } from '../../journal/disk/unique-names.ts';
import type { Entries, Entry } from '../membership/entries.ts';
import type { LogPosition } from '../nats/genesis.ts';
import { persistently } from '../nats/patience.ts';
import { ofExisting } from '../nats/streams.ts';
import type { ObjectBucket, StoredObject } from './bucket.ts';
import {
  CHECKPOINT_KEY,
  type CheckpointEntry,
  entryText,
  readEntry,
  type SharedCheckpoint,
  type SharedFile,
} from './checkpoint-entry.ts';
import { storeError } from './errors.ts';
import type { SharedPlace } from './shared-place.ts';

const PREFIX = 'checkpoint/';
/** Uploads that nothing was added to for so long have ended, in milliseconds. */
const UNFINISHED_MS = 3_600_000;

/** A file of a checkpoint that is uploaded. */
export interface CheckpointSource {
  readonly name: string;
  /** Each chunk is valid until the next one is asked for. */
  readonly bytes: () => AsyncIterable<Uint8Array>;
}

interface Upload {
  readonly file: SharedFile;
  readonly object: StoredObject;
}

/** Returns the newest checkpoint and the one before; undefined if none was shared yet. */
export async function sharedCheckpoints({
  entries,
}: Pick<SharedPlace, 'entries'>): Promise<CheckpointEntry | undefined> {
  const found = await entryOf(entries);
  return found && readEntry(found);
}

/**
 * The error of a log without a checkpoint that begins behind some commits; undefined if it begins
 * with the first one.
 */
export function unfinishedImport(start: LogPosition | undefined): AppError | undefined {
  if (!start || start.commit === 0) return undefined;
  return new AppError(
    'bad-arguments',
    `The log begins behind commit ${start.commit}, and there is no checkpoint with the data of before: an import has not ended. Wait for it, or repeat it: pathpool import DIRECTORY nats://…`,
  );
}

/**
 * Uploads a checkpoint, and makes it the newest one, unless others have shared one that is as new;
 * returns whether it did.
 * The entry is changed by compare-and-set, so of two processes that believe to hold the lease the
 * one with the newer checkpoint wins. Then removes what is older than the one before.
 *
 * @param sources the manifest is the last one
 */
export async function shareCheckpoint(
  { objects, entries }: Omit<SharedPlace, 'close'>,
  sources: readonly CheckpointSource[],
  { identity, position }: Pick<SharedCheckpoint, 'identity' | 'position'>,
): Promise<boolean> {
  let found = await entryOf(entries);
  if (isAsNew(found, position)) return false;
  const uploads = await upload(objects, sources);
  const newest = { identity, position, time: Date.now(), files: uploads.map(({ file }) => file) };
  while (!isAsNew(found, position)) {
    const old = found && readEntry(found);
    const entry: CheckpointEntry = { newest, ...(old && { before: old.newest }) };
    if (await replace(entries, found, entryText(entry))) {
      await removeOld(objects, old?.before, entry);
      return true;
    }
    found = await entryOf(entries);
  }
  for (const { object } of uploads) await objects.remove(object);
  return false;
}

/** Whether a checkpoint that was shared has all commits up to a position. */
function isAsNew(found: Entry | undefined, { commit }: LogPosition): boolean {
  return found !== undefined && readEntry(found).newest.position.commit >= commit;
}

function entryOf(entries: Entries): Promise<Entry | undefined> {
  return storeError(() => ofExisting(() => entries.get(CHECKPOINT_KEY)));
}

/** Sets the entry if it is still as it was found. Returns whether it is set. */
async function replace(entries: Entries, found: Entry | undefined, value: string): Promise<boolean> {
  const revision = await storeError(() =>
    persistently(() => (found ? entries.update({ ...found, value }) : entries.create(CHECKPOINT_KEY, value))),
  );
  // A change whose answer was lost looks like that of another process.
  return revision !== undefined || (await entryOf(entries))?.value === value;
}

async function upload(objects: ObjectBucket, sources: readonly CheckpointSource[]): Promise<Upload[]> {
  // Nobody else uses this name, so others can't remove or replace the objects before they count.
  const folder = `${PREFIX}${newToken()}/`;
  const uploads: Upload[] = [];
  try {
    for (const { name, bytes } of sources) {
      const object = await objects.put({ name: folder + name }, bytes());
      const file = { name, object: object.name, bytes: object.bytes, digest: object.digest };
      uploads.push({ file, object });
    }
    return uploads;
  } catch (error) {
    for (const { object } of uploads) await objects.remove(object).catch(() => {});
    throw error;
  }
}

/** Removes a checkpoint that is no longer needed, and remains of uploads that did not complete. */
async function removeOld(
  objects: ObjectBucket,
  outdated: SharedCheckpoint | undefined,
  { newest, before }: CheckpointEntry,
): Promise<void> {
  const needed = new Set([...objectsOf(newest), ...objectsOf(before)]);
  const unneeded = new Set(objectsOf(outdated));
  const latest = (await objects.clock()) - UNFINISHED_MS;
  for await (const object of objects.list(PREFIX)) {
    if (needed.has(object.name)) continue;
    const hasEnded = unneeded.has(object.name) || object.modified <= latest;
    if (hasEnded) await objects.remove(object);
  }
  await objects.removeUnfinished(UNFINISHED_MS);
}

function objectsOf(checkpoint: SharedCheckpoint | undefined): string[] {
  return checkpoint?.files.map(({ object }) => object) ?? [];
}
