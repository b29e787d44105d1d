import type { JetStreamManager, StoredMsg } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { AppError } from '../../errors.ts';
import { readFully } from '../../journal/disk/disk.ts';
import { bucketNames } from '../nats/buckets.ts';
import { connectNats } from '../nats/connection.ts';
import { GENESIS_SEQUENCE, lastOf } from '../nats/genesis.ts';
import type { GroupObjects } from '../nats/groups.ts';
import {
  FOREIGN,
  LENGTH_BYTES,
  PART_BYTES,
  type Part,
  type PartHead,
  payloadsOf,
  readNextPart,
  readPart,
} from '../nats/parts.ts';
import { isOfServers } from '../nats/patience.ts';
import { StoredMessages } from '../nats/stored-messages.ts';
import { streamManager } from '../nats/streams.ts';
import { NatsBucket, patientTimes } from '../objects/nats-bucket.ts';
import type { ClusterSettings } from '../settings.ts';
import { ChunkedBytes, type ChunksFrom } from './chunked-bytes.ts';
import { firstPart, firstWanted, SEARCH_PATIENCE_MS, unreadable } from './log-search.ts';

/** Messages that are read together, and their bytes. */
const BATCH_MESSAGES = 512;
const BATCH_BYTES = 2 * 1024 * 1024;
/** A longer payload of a group of several parts is not read as a whole. */
const WHOLE_BYTES = 1024 * 1024;
const MOST_PLACES = 1024;

/** A record that was read from the log again. */
export interface LoggedRecord {
  /** Number of the commit. */
  readonly sequence: number;
  /** Undefined if it is too long for that. */
  readonly payload?: Uint8Array;
  readonly large?: LargePayload;
}

/** A payload that is read piece by piece. */
export interface LargePayload {
  readonly bytes: number;
  /** Returns something to read it with, whose first byte is the first of the payload. */
  open(): OpenPayload;
}

export interface OpenPayload {
  read(target: Uint8Array, offset: number): Promise<number>;
  close(): Promise<void>;
}

interface OpenLog {
  readonly connection: NatsConnection;
  readonly manager: JetStreamManager;
  readonly messages: StoredMessages;
  readonly objects: GroupObjects;
}

/** The first part of a group, or its only one, and its sequence number in the stream. */
interface PlacedGroup {
  readonly sequence: number;
  readonly head: PartHead;
}

/**
 * The commits that are still in a log, to be read again, over a connection of its own. It changes
 * nothing, and holds some mebibytes for each reader at most.
 */
export class LogHistory {
  readonly #settings: ClusterSettings;
  readonly #identity: string;
  #opened: Promise<OpenLog> | undefined;
  /** Where the group begins that has the commit after one. */
  readonly #places = new Map<number, number>();

  /** `identity`: name of that of the log. Connects when something is read. */
  constructor(settings: ClusterSettings, identity: string) {
    this.#settings = settings;
    this.#identity = identity;
  }

  /**
   * Returns the number of the commit after which all are in the log; undefined if it has none.
   * Errors: those of `after`.
   */
  oldest(): Promise<number | undefined> {
    return readable(async () => {
      const { messages } = await this.#open();
      const part = await firstPart(messages, await messages.range(SEARCH_PATIENCE_MS));
      if (!part) return undefined;
      const { sequence, head } = part;
      // A group whose first parts were removed can't be read.
      return sequence === GENESIS_SEQUENCE || head.part > 1 ? head.last : head.first - 1;
    });
  }

  /**
   * Yields the records of the commits after one; none if the next one is not in the log any more.
   * Errors: `unavailable`, `data-damaged`.
   */
  async *after(commit: number): AsyncGenerator<LoggedRecord> {
    try {
      const log = await this.#open();
      const from = this.#places.get(commit) ?? (await find(log, commit + 1));
      if (from === undefined) return;
      let at = commit;
      for await (const record of this.#recordsFrom(log, from)) {
        if (record.sequence <= at) continue;
        if (record.sequence !== at + 1) return;
        at++;
        yield record;
      }
    } catch (error) {
      throw worded(error);
    }
  }

  /** Ends the connection, if there is one. */
  async close(): Promise<void> {
    await (await this.#opened)?.connection.close();
  }

  #open(): Promise<OpenLog> {
    this.#opened ??= openLog(this.#settings, this.#identity).catch((error: unknown) => {
      this.#opened = undefined;
      throw error;
    });
    return this.#opened;
  }

  /** Yields the records from a group on, up to the end of the log, or to what was removed. */
  async *#recordsFrom(log: OpenLog, from: number): AsyncGenerator<LoggedRecord> {
    for (let next: number | undefined = from; next !== undefined; ) {
      let large: PlacedGroup | undefined;
      for await (const [sequence, part] of partsFrom(log, this.#settings.name, next)) {
        const { head } = part;
        if (sequence === GENESIS_SEQUENCE) continue;
        if (head.part !== 1) return;
        this.#note(head.first - 1, sequence);
        if (head.count > 1 || head.object) {
          large = { sequence, head };
          break;
        }
        yield* recordsOf(part, sequence);
        this.#note(head.last, sequence + 1);
      }
      if (large) yield* recordsOfLarge(log, this.#settings.name, large);
      next = large && large.sequence + large.head.count;
    }
  }

  #note(commit: number, sequence: number): void {
    this.#places.delete(commit);
    this.#places.set(commit, sequence);
    if (this.#places.size <= MOST_PLACES) return;
    const [oldest] = this.#places.keys();
    this.#places.delete(oldest!);
  }
}

async function openLog(settings: ClusterSettings, identity: string): Promise<OpenLog> {
  const connection = await connectNats(settings, 'changes');
  try {
    const manager = await streamManager(connection);
    await lastOf(manager, settings.name, { name: identity });
    const objects = await NatsBucket.open(connection, bucketNames(settings.name).objects, patientTimes);
    return { connection, manager, objects, messages: new StoredMessages(connection, manager, settings) };
  } catch (error) {
    await connection.close();
    throw error;
  }
}

/** Returns the sequence number of the group that has a commit; undefined if it was removed. */
async function find({ messages }: OpenLog, commit: number): Promise<number | undefined> {
  const range = await messages.range(SEARCH_PATIENCE_MS);
  const part = await firstWanted(
    messages,
    range,
    ({ sequence, head }) => sequence > GENESIS_SEQUENCE && head.last >= commit,
  );
  return part && part.head.part === 1 && part.head.first <= commit ? part.sequence : undefined;
}

/**
 * Yields the parts from a sequence number on, each verified by its hash, and by that of the part
 * before. That of a message that was taken for one of another program would be missing. Ends at the
 * end of the log, or where messages were removed.
 */
async function* partsFrom(
  { manager, messages }: OpenLog,
  stream: string,
  from: number,
): AsyncGenerator<[sequence: number, part: Part]> {
  let next = from;
  let previous: string | undefined;
  const accept = ({ header, data }: StoredMsg) =>
    previous === undefined ? readPart(header, data) : readNextPart(header, data, previous);
  for (;;) {
    const first = next;
    for await (const message of batchFrom(manager, stream, first)) {
      const part = message.seq === next ? accept(message) : 'missing';
      if (typeof part === 'object') {
        yield [next, part];
        previous = part.hash;
      } else if (part !== FOREIGN) {
        break;
      }
      next++;
    }
    if (next > first) continue;
    const finding = await messages.find(next, accept, SEARCH_PATIENCE_MS);
    if (finding.kind === 'damaged') throw unreadable(next, finding.reason);
    if (finding.kind === 'absent' || finding.kind === 'purged') return;
    if (finding.kind === 'found') {
      yield [next, finding.value];
      previous = finding.value.hash;
    }
    next++;
  }
}

/** Some messages, as one server has them: it may have fewer, or none, without an error. */
async function* batchFrom(manager: JetStreamManager, stream: string, seq: number): AsyncGenerator<StoredMsg> {
  try {
    const query = { seq, batch: BATCH_MESSAGES, max_bytes: BATCH_BYTES };
    yield* await manager.direct.getBatch(stream, query);
  } catch (error) {
    // What has not arrived is read by itself.
    if (!isOfServers(error)) throw error;
  }
}

function* recordsOf({ head, body }: Part, sequence: number): Generator<LoggedRecord> {
  const payloads = payloadsOf([body], head.last - head.first + 1);
  if (!payloads) throw unreadable(sequence, 'the lengths of its records are wrong');
  for (const [index, payload] of payloads.entries()) yield { sequence: head.first + index, payload };
}

/** Yields the records of a group that is not in memory as a whole. */
async function* recordsOfLarge(
  log: OpenLog,
  stream: string,
  group: PlacedGroup,
): AsyncGenerator<LoggedRecord> {
  const { first, last } = group.head;
  const open = (offset: number) => bytesOf(log, stream, group, offset);
  const bytes = new ChunkedBytes(open);
  try {
    let at = 0;
    for (let sequence = first; sequence <= last; sequence++) {
      const length = (await exactly(bytes, at, LENGTH_BYTES, group)).readUInt32LE();
      const from = at + LENGTH_BYTES;
      if (length > WHOLE_BYTES)
        yield { sequence, large: { bytes: length, open: () => payloadAt(open, from) } };
      else yield { sequence, payload: await exactly(bytes, from, length, group) };
      at = from + length;
    }
  } finally {
    await bytes.close();
  }
}

function payloadAt(open: (offset: number) => ChunksFrom, from: number): OpenPayload {
  const bytes = new ChunkedBytes(open);
  return { read: (target, offset) => bytes.read(target, from + offset), close: () => bytes.close() };
}

/** The bytes of a group from an offset on, or from an earlier one. */
function bytesOf(log: OpenLog, stream: string, group: PlacedGroup, offset: number): ChunksFrom {
  if (group.head.object) return { at: 0, chunks: objectOf(log, group) };
  const skipped = Math.min(Math.floor(offset / PART_BYTES), group.head.count - 1);
  return { at: skipped * PART_BYTES, chunks: bodiesFrom(log, stream, group, skipped) };
}

async function* bodiesFrom(
  log: OpenLog,
  stream: string,
  { sequence, head }: PlacedGroup,
  skipped: number,
): AsyncGenerator<Uint8Array> {
  for await (const [, part] of partsFrom(log, stream, sequence + skipped)) {
    if (part.head.id !== head.id) return;
    yield part.body;
    if (part.head.part === head.count) return;
  }
}

async function* objectOf({ objects }: OpenLog, { head, sequence }: PlacedGroup): AsyncGenerator<Uint8Array> {
  const object = await objects.find(head.object!.name);
  if (!object) throw removed(sequence);
  yield* objects.read(object);
}

async function exactly(
  bytes: ChunkedBytes,
  offset: number,
  length: number,
  { sequence }: PlacedGroup,
): Promise<Buffer> {
  const target = Buffer.alloc(length);
  if ((await readFully(bytes, target, offset)) === length) return target;
  throw removed(sequence);
}

/** The error of a group that a checkpoint has removed while it was read: it will be gone. */
function removed(sequence: number): AppError {
  return new AppError('unavailable', `message ${sequence} is being removed`);
}

async function readable<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw worded(error);
  }
}

/** What waiting, or an operator, can end is `unavailable`. */
function worded(error: unknown): unknown {
  const isAway = isOfServers(error) || (error as { readonly code?: unknown }).code === 'unavailable';
  if (!isAway) return error;
  const reason = error instanceof Error ? error.message : String(error);
  const message = `Earlier changes can't be read from the log servers at the moment (${reason}).`;
  return new AppError('unavailable', message, {}, error);
}
