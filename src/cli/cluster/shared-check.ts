import type { JetStreamManager, StreamState } from '@nats-io/jetstream';
import type { LogPosition } from '../../cluster/nats/genesis.ts';
import { FOREIGN, type Part, type PartFault, readPart } from '../../cluster/nats/parts.ts';
import type { ObjectBucket, StoredObject } from '../../cluster/objects/bucket.ts';
import type { SharedCheckpoint, SharedFile } from '../../cluster/objects/checkpoint-entry.ts';
import { storeError } from '../../cluster/objects/errors.ts';
import { sharedCheckpoints, unfinishedImport } from '../../cluster/objects/share-checkpoint.ts';
import { CONTENT_PREFIX } from '../../cluster/objects/shared-content.ts';
import type { ClusterSettings } from '../../cluster/settings.ts';
import { AppError, toErrorData } from '../../errors.ts';
import type { CheckReport } from '../check.ts';
import { type ExistingCluster, openExisting } from './existing-log.ts';
import type { CommandReport } from './shared-backup.ts';
import type { Stages } from './stages.ts';

/**
 * `pathpool check nats://…`: reads everything that the log servers keep of a cluster, and verifies
 * it: the hash of each message, and that it follows the one before; that the checkpoints are in
 * this chain; the digests of their files and of all content. Changes nothing, and does not load the
 * data: it needs little memory. Errors: `not-found`, `bad-arguments`, `unavailable`.
 */
export async function checkCluster(
  settings: ClusterSettings,
  { stages }: Pick<CommandReport, 'stages'>,
): Promise<CheckReport> {
  const damages: string[] = [];
  const notes: string[] = [];
  const cluster = await openExisting(settings, (message) => damages.push(message));
  try {
    const check = new Check(cluster, settings.name, damages);
    notes.push(`data set ${cluster.log.identity.name}`);
    const shared = await sharedCheckpoints(cluster.place);
    const checkpoints = [shared?.before, shared?.newest].filter((each) => each !== undefined);
    const unfinished = shared ? undefined : unfinishedImport(cluster.log.start);
    if (unfinished) damages.push(unfinished.message);
    stages.begin('reading the log', 0);
    notes.push(await check.log(checkpoints));
    for (const checkpoint of checkpoints) notes.push(await check.checkpoint(checkpoint, stages));
    stages.begin('reading content', 0);
    notes.push(await check.contents());
  } finally {
    await cluster.close();
  }
  const lines = [...notes, ...damages.map((damage) => `damaged: ${damage}`)];
  const damaged = damages.length > 0;
  return { lines: [...lines, damaged ? 'damage was found' : 'all is well'], damaged };
}

type Range = Pick<StreamState, 'first_seq' | 'last_seq'>;

/** Adds what it finds damaged to a list, and goes on. */
class Check {
  readonly #cluster: ExistingCluster;
  readonly #stream: string;
  readonly #damages: string[];

  constructor(cluster: ExistingCluster, stream: string, damages: string[]) {
    this.#cluster = cluster;
    this.#stream = stream;
    this.#damages = damages;
  }

  /** Verifies the chain of all messages, and the places of the checkpoints in it. */
  async log(checkpoints: readonly SharedCheckpoint[]): Promise<string> {
    const { log, manager } = this.#cluster;
    let first: number | undefined;
    await this.#collect(async () => {
      const oldest = await oldestPlace(manager, this.#stream);
      if (oldest) log.startAt(oldest);
      const { commit } = log.position;
      first = commit + 1;
      await log.replay(first, () => {});
    });
    for (const { position } of checkpoints) {
      await this.#collect(() => requirePlace(manager, this.#stream, position));
    }
    const last = log.lastSequence;
    if (first === undefined) return 'the log could not be read';
    return first > last ? `the log has no records behind commit ${last}` : `records ${first} to ${last}`;
  }

  async checkpoint({ position, files }: SharedCheckpoint, stages: Stages): Promise<string> {
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
    stages.begin(`reading the checkpoint at commit ${position.commit}`, bytes);
    for (const file of files)
      await this.#collect(() => readFile(this.#cluster.place.objects, file, stages.add));
    return `checkpoint at commit ${position.commit}: ${bytes} bytes`;
  }

  async contents(): Promise<string> {
    const { objects } = this.#cluster.place;
    let count = 0;
    for await (const object of objects.list(CONTENT_PREFIX)) {
      count++;
      await this.#collect(() => readContent(objects, object));
    }
    return `${count} content objects`;
  }

  async #collect(check: () => Promise<void>): Promise<void> {
    try {
      await check();
    } catch (error) {
      const { code, message } = toErrorData(error);
      if (code !== 'data-damaged' && code !== 'not-found') throw error;
      this.#damages.push(message);
    }
  }
}

/** The place before the oldest message that is kept; undefined if that is the first of all. */
async function oldestPlace(manager: JetStreamManager, stream: string): Promise<LogPosition | undefined> {
  const { state } = await storeError(() => manager.streams.info(stream));
  if (state.first_seq <= 1) return undefined;
  const { head } = await firstPart(manager, stream, state);
  return { commit: head.first - 1, sequence: state.first_seq - 1, hash: head.previous };
}

/** Error `data-damaged` unless a group ends at a place, with the hash that it should have. */
async function requirePlace(
  manager: JetStreamManager,
  stream: string,
  { commit, sequence, hash }: LogPosition,
): Promise<void> {
  const { state } = await storeError(() => manager.streams.info(stream));
  const wasPurged = sequence < state.first_seq;
  const part = await (wasPurged ? firstPart(manager, stream, state) : partAt(manager, stream, sequence));
  const isThere = wasPurged
    ? sequence < state.first_seq - 1 || part.head.previous === hash
    : part.hash === hash && part.head.last === commit;
  if (isThere) return;
  const message = `the checkpoint at commit ${commit} does not belong to message ${sequence} of the log`;
  throw new AppError('data-damaged', message);
}

/** The first part that is kept; messages of other programs may be before it. */
async function firstPart(manager: JetStreamManager, stream: string, range: Range): Promise<Part> {
  let sequence = range.first_seq;
  while (sequence < range.last_seq && (await messageAt(manager, stream, sequence)) === FOREIGN) sequence++;
  return partAt(manager, stream, sequence);
}

async function partAt(manager: JetStreamManager, stream: string, sequence: number): Promise<Part> {
  const part = await messageAt(manager, stream, sequence);
  if (typeof part === 'object') return part;
  throw new AppError('data-damaged', `message ${sequence} of the log can't be read: ${part}`);
}

async function messageAt(
  manager: JetStreamManager,
  stream: string,
  sequence: number,
): Promise<Part | PartFault> {
  const message = await storeError(() => manager.streams.getMessage(stream, { seq: sequence }));
  return message ? readPart(message.header, message.data) : 'missing';
}

async function readFile(
  objects: ObjectBucket,
  { object: name, digest }: SharedFile,
  add: (bytes: number) => void,
): Promise<void> {
  const object = await objects.find(name);
  if (!object) throw new AppError('not-found', `the object ${name} is missing`);
  if (object.digest !== digest) throw new AppError('data-damaged', `the object ${name} was replaced`);
  for await (const { length } of objects.read(object)) add(length);
}

async function readContent(objects: ObjectBucket, object: StoredObject): Promise<void> {
  if (object.name !== CONTENT_PREFIX + object.digest) {
    throw new AppError('data-damaged', `the object ${object.name} has other bytes than its name says`);
  }
  try {
    for await (const _ of objects.read(object));
  } catch (error) {
    // Content that nothing refers to any more may be removed meanwhile.
    if ((error as { readonly code?: unknown }).code !== 'not-found') throw error;
  }
}
