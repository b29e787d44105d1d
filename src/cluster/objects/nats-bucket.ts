import { createHash } from 'node:crypto';
import {
  JetStreamApiCodes,
  type JetStreamClient,
  type JetStreamManager,
  JsHeaders,
  type JsMsg,
  jetstream,
  jetstreamManager,
  type StoredMsg,
} from '@nats-io/jetstream';
import { errors, headers, type NatsConnection, nanos } from '@nats-io/transport-node';
import { AppError } from '../../errors.ts';
import { persistently } from '../nats/patience.ts';
import { apiCode, isOvertaken } from '../nats/streams.ts';
import type { NewObject, ObjectBucket, StoredObject } from './bucket.ts';
import { BucketSubjects, digestField, type FoundObject, type ObjectEntry, objectOf } from './entry-format.ts';
import { storeError } from './errors.ts';
import { NatsUpload } from './nats-upload.ts';

/** Entries that are fetched together while objects are listed. */
const PAGE = 256;
/** The server forgets a consumer that has not been used for this time. */
const CONSUMER_MS = 30_000;
/** How often a piece is asked for that a log server does not have: another one may have it. */
const ATTEMPTS = 4;
/**
 * Names of entries that announce pieces which may have to be removed begin with this; the nuid of
 * the pieces follows. Pieces are removed only if they were announced, never because an entry is
 * missing: a log server with a damaged disk may hide entries.
 */
const ANNOUNCED = 'unfinished/';
const EMPTY_DIGEST = digestField(createHash('sha256').digest());

export interface BucketTimes {
  /** How long a log server may take to answer, in milliseconds. */
  readonly answerMs: number;
  /** How long requests are repeated while the log servers are away, in milliseconds. */
  readonly patienceMs: number;
}

/** For requests of clients, which would rather have an error than wait. */
export const usualTimes: BucketTimes = { answerMs: 5000, patienceMs: 0 };
/** For work in the background: elections of several leaders may be in the way. */
export const patientTimes: BucketTimes = { answerMs: 5000, patienceMs: 30_000 };

interface BucketParts {
  readonly bucket: string;
  readonly js: JetStreamClient;
  readonly manager: JetStreamManager;
  readonly times: BucketTimes;
}

/** The pieces of an object, and whether the leader is asked, or any server that has a copy. */
interface Pieces {
  readonly name: string;
  readonly nuid: string;
  readonly fromLeader: boolean;
}

/** Entries in the order of the bucket's stream. */
interface Page {
  readonly objects: readonly FoundObject[];
  /** Where the next page begins; undefined at the end. */
  readonly next: number | undefined;
}

/**
 * The object store of NATS. Objects have its usual format, so its tools can read them. They are
 * read piece by piece, by direct requests: a reader that is slow needs no memory, and goes on after
 * the connection was lost. An object is removed by an entry that says so, which the log servers
 * only accept in the place of the one that was found, as those of `touch`. A purge alone would not
 * do: while it waits for a majority, they accept a touch that comes later.
 */
export class NatsBucket implements ObjectBucket {
  readonly #parts: BucketParts;
  readonly #stream: string;
  readonly #subjects: BucketSubjects;
  /** Pieces that are read from the leader the next time, because another server had them wrong. */
  readonly #fromLeader = new Set<string>();

  /** Opens a bucket that exists. Throws `unavailable`. */
  static async open(
    connection: NatsConnection,
    bucket: string,
    times: BucketTimes = usualTimes,
  ): Promise<NatsBucket> {
    const options = { timeout: times.answerMs };
    const js = jetstream(connection, options);
    const manager = await storeError(() => jetstreamManager(connection, { ...options, checkAPI: false }));
    return new NatsBucket({ bucket, js, manager, times });
  }

  private constructor(parts: BucketParts) {
    this.#parts = parts;
    this.#stream = `OBJ_${parts.bucket}`;
    this.#subjects = new BucketSubjects(parts.bucket);
  }

  async clock(): Promise<number> {
    const { ts } = await this.#ask(() => this.#parts.manager.streams.info(this.#stream));
    return ts === undefined ? Date.now() : Date.parse(ts);
  }

  find(name: string): Promise<StoredObject | undefined> {
    return this.#ask(() => this.#find(name));
  }

  async *list(prefix: string): AsyncGenerator<StoredObject> {
    for await (const object of this.#entries(prefix)) if (object.name.startsWith(prefix)) yield object;
  }

  async put(object: NewObject, bytes: AsyncIterable<Uint8Array>): Promise<StoredObject> {
    const { name } = object;
    const upload = new NatsUpload({ ...this.#parts, subjects: this.#subjects });
    await this.#announce(upload.nuid, name);
    const entry = await this.#upload(upload, object, bytes);
    // If this fails, the entry may still be written, so the pieces stay until `removeUnfinished`.
    await this.#install(entry);
    const stored = await this.find(name);
    await this.#discard(upload.nuid, name);
    if (stored) return stored;
    throw new AppError('unavailable', `The object ${name} was removed while it was stored.`);
  }

  touch(object: StoredObject): Promise<boolean> {
    const { entry, revision } = found(object);
    return this.#replace(entry, revision);
  }

  async remove(object: StoredObject): Promise<boolean> {
    const { entry, revision } = found(object);
    if (entry.chunks > 0) await this.#announce(entry.nuid, entry.name);
    const isRemoved = await this.#replace({ ...entry, ...nothing(), deleted: true }, revision);
    if (entry.chunks > 0) await this.#discard(entry.nuid, entry.name);
    await this.#removeMark(entry.name);
    return isRemoved;
  }

  async *read(object: StoredObject): AsyncGenerator<Uint8Array> {
    const { entry } = found(object);
    const { name, nuid, chunks } = entry;
    const pieces = { name, nuid, fromLeader: this.#fromLeader.delete(nuid) };
    const hash = createHash('sha256');
    let next = chunks > 0 ? this.#piece(pieces, 1) : undefined;
    for (let count = 1; count <= chunks; count++) {
      const { data, seq } = await next!;
      // The next one is on its way while this one is processed.
      next = count < chunks ? this.#piece(pieces, seq + 1) : undefined;
      next?.catch(() => {});
      hash.update(data);
      yield data;
    }
    if (hash.digest('hex') !== object.digest) throw this.#damaged(pieces);
  }

  async removeUnfinished(graceMs: number): Promise<number> {
    const latest = (await this.clock()) - graceMs;
    let removed = 0;
    for await (const { name, modified, entry } of this.#entries(ANNOUNCED)) {
      if (modified > latest) continue;
      const nuid = name.slice(ANNOUNCED.length);
      if (!(await this.#isOld(nuid, latest))) continue;
      await this.#discard(nuid, entry.description ?? '');
      removed++;
    }
    return removed;
  }

  /** Whether no piece was added after a time. */
  async #isOld(nuid: string, latest: number): Promise<boolean> {
    const last = await this.#ask(() => this.#message({ last_by_subj: this.#subjects.pieces(nuid) }));
    return !last || last.time.getTime() <= latest;
  }

  /** Stores the pieces, and returns the entry that is to be written. */
  async #upload(
    upload: NatsUpload,
    { name, digest }: NewObject,
    bytes: AsyncIterable<Uint8Array>,
  ): Promise<ObjectEntry> {
    try {
      for await (const chunk of bytes) await storeError(() => upload.add(chunk));
      const entry = await storeError(() => upload.finish(name));
      if (digest !== undefined && objectOf(entry, 0, 0)!.digest !== digest) throw damaged(name);
      return entry;
    } catch (error) {
      // Pieces in doubt may be stored later, and are left to `removeUnfinished`.
      if (await upload.settled()) await this.#discard(upload.nuid, name).catch(() => {});
      throw error;
    }
  }

  /**
   * Writes an entry, and removes the pieces of the one that it replaces: of each that other uploads
   * of the same object write meanwhile, too. If those have the same bytes, theirs stays.
   */
  async #install(entry: ObjectEntry): Promise<void> {
    const { name, nuid, digest } = entry;
    let replaced: string | undefined;
    for (let isFirst = true; ; isFirst = false) {
      const newest = await this.#newest(name);
      const old = newest?.json<ObjectEntry>();
      // An attempt whose answer was lost.
      if (old?.nuid === nuid) return;
      const isThere = old !== undefined && !old.deleted;
      if (!isFirst && isThere && old.digest === digest && old.nuid !== replaced) return;
      replaced = isThere ? old.nuid : undefined;
      if (replaced !== undefined) await this.#announce(replaced, name);
      if (!(await this.#replace(entry, newest?.seq ?? 0))) continue;
      if (replaced !== undefined) await this.#discard(replaced, name);
      return;
    }
  }

  /** Writes an entry if the object still has the revision; 0: none. Returns whether it had. */
  #replace(entry: ObjectEntry, revision: number): Promise<boolean> {
    return this.#ask(async () => {
      try {
        await this.#write(entry, revision);
        return true;
      } catch (error) {
        if (!isOvertaken(apiCode(error))) throw error;
        return false;
      }
    });
  }

  /** Writes an entry; if the object is expected to have a revision, only if it still has that. */
  async #write(entry: ObjectEntry, revision?: number): Promise<void> {
    const fields = headers();
    fields.set(JsHeaders.RollupHdr, JsHeaders.RollupValueSubject);
    await this.#parts.js.publish(this.#subjects.entry(entry.name), JSON.stringify(entry), {
      headers: fields,
      ...(revision !== undefined && { expect: { lastSubjectSequence: revision } }),
    });
  }

  /** Announces that pieces have to be removed unless the object with this name has them. */
  #announce(nuid: string, name: string): Promise<void> {
    const { bucket } = this.#parts;
    const entry = { name: ANNOUNCED + nuid, bucket, nuid: `${nuid}-none`, description: name, ...nothing() };
    return this.#ask(() => this.#write(entry));
  }

  /** Removes announced pieces, unless the object with this name has them, and the announcement. */
  async #discard(nuid: string, name: string): Promise<void> {
    const { streams } = this.#parts.manager;
    const current = name === '' ? undefined : await this.#ask(() => this.#find(name));
    if (current?.entry.nuid !== nuid) {
      await this.#ask(() => streams.purge(this.#stream, { filter: this.#subjects.pieces(nuid) }));
    }
    await this.#revoke(nuid);
  }

  async #revoke(nuid: string): Promise<void> {
    const filter = this.#subjects.entry(ANNOUNCED + nuid);
    await this.#ask(() => this.#parts.manager.streams.purge(this.#stream, { filter }));
  }

  /** Removes the entry that says that an object was deleted, if that is the newest one. */
  async #removeMark(name: string): Promise<void> {
    const message = await this.#newest(name);
    if (!message?.json<ObjectEntry>().deleted) return;
    const filter = this.#subjects.entry(name);
    const { streams } = this.#parts.manager;
    await this.#ask(() => streams.purge(this.#stream, { filter, seq: message.seq + 1 }));
  }

  /** The newest entry with a name; it may say that the object was deleted. */
  #newest(name: string): Promise<StoredMsg | undefined> {
    return this.#ask(() => this.#message({ last_by_subj: this.#subjects.entry(name) }));
  }

  /** The leader of the log servers answers, which knows everything that was acknowledged. */
  async #find(name: string): Promise<FoundObject | undefined> {
    const message = await this.#message({ last_by_subj: this.#subjects.entry(name) });
    return message && objectOf(message.json<ObjectEntry>(), message.time.getTime(), message.seq);
  }

  /** The objects whose names have a prefix, and perhaps others. */
  async *#entries(prefix: string): AsyncGenerator<FoundObject> {
    const filter = this.#subjects.entries(prefix);
    for (let from: number | undefined = 1; from !== undefined; ) {
      const start: number = from;
      const { objects, next } = await this.#ask(() => this.#page(filter, start));
      yield* objects;
      from = next;
    }
  }

  async #page(filter: string, from: number): Promise<Page> {
    const { manager, js, times } = this.#parts;
    const info = await manager.consumers.add(this.#stream, {
      filter_subject: filter,
      deliver_policy: 'by_start_sequence',
      opt_start_seq: from,
      ack_policy: 'none',
      inactive_threshold: nanos(CONSUMER_MS),
      num_replicas: 1,
      mem_storage: true,
    });
    const consumer = js.consumers.getConsumerFromInfo(info);
    try {
      if (info.num_pending === 0) return { objects: [], next: undefined };
      const messages: JsMsg[] = [];
      const pull = await consumer.fetch({ max_messages: PAGE, expires: times.answerMs });
      for await (const message of pull) {
        messages.push(message);
        // The rest may have been removed meanwhile, and would be waited for.
        if (message.info.pending === 0) break;
      }
      return pageOf(messages);
    } finally {
      consumer.delete().catch(() => {});
    }
  }

  /** Returns the first piece at or after a position in the bucket's stream. */
  async #piece(pieces: Pieces, from: number): Promise<StoredMsg> {
    const { manager } = this.#parts;
    const { name, nuid, fromLeader } = pieces;
    const query = { seq: from, next_by_subj: this.#subjects.pieces(nuid) };
    for (let attempt = 1; attempt < ATTEMPTS && !fromLeader; attempt++) {
      const piece = await this.#ask(() => manager.direct.getMessage(this.#stream, query));
      if (piece) return piece;
    }
    const piece = await this.#ask(() => this.#message(query));
    if (piece) return piece;
    if (await this.find(name)) throw this.#damaged(pieces);
    throw new AppError('not-found', `The object ${name} was removed while it was read.`);
  }

  /** Returns the error for pieces that are not as they were stored. */
  #damaged({ name, nuid, fromLeader }: Pieces): AppError {
    if (!fromLeader) this.#fromLeader.add(nuid);
    return damaged(name);
  }

  /** Asks the leader of the log servers. */
  async #message(query: Parameters<JetStreamManager['streams']['getMessage']>[1]) {
    try {
      return (await this.#parts.manager.streams.getMessage(this.#stream, query)) ?? undefined;
    } catch (error) {
      if (apiCode(error) === JetStreamApiCodes.NoMessageFound) return undefined;
      throw error;
    }
  }

  /** Makes a request that is harmless to repeat. */
  #ask<T>(request: () => Promise<T>): Promise<T> {
    return storeError(() => persistently(request, this.#parts.times.patienceMs));
  }
}

function found(object: StoredObject): FoundObject {
  return object as FoundObject;
}

/** Throws an error that is worth a repetition if messages were lost on the way. */
function pageOf(messages: readonly JsMsg[]): Page {
  const last = messages.at(-1);
  if (!last || last.info.deliverySequence !== messages.length) throw new errors.TimeoutError();
  const objects = messages.flatMap((message) => {
    const time = Math.floor(message.info.timestampNanos / 1e6);
    return objectOf(message.json<ObjectEntry>(), time, message.seq) ?? [];
  });
  return { objects, next: last.info.pending === 0 ? undefined : last.seq + 1 };
}

/** What the entry of an object without bytes has. */
function nothing() {
  return { size: 0, chunks: 0, digest: EMPTY_DIGEST, mtime: new Date().toISOString() };
}

function damaged(name: string): AppError {
  return new AppError('data-damaged', `The bytes of the object ${name} do not match its digest.`);
}
