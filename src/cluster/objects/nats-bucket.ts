import { createHash } from 'node:crypto';
import {
  DeliverPolicy,
  JetStreamApiCodes,
  JetStreamApiError,
  type JetStreamClient,
  type JetStreamManager,
  JsHeaders,
  jetstream,
  jetstreamManager,
  type StoredMsg,
} from '@nats-io/jetstream';
import { Base64UrlPaddedCodec, type ObjectStore, Objm } from '@nats-io/obj';
import { headers, type NatsConnection } from '@nats-io/transport-node';
import { AppError } from '../../errors.ts';
import { persistently } from '../nats/patience.ts';
import type { NewObject, ObjectBucket, StoredObject } from './bucket.ts';
import { storeError } from './errors.ts';

/** Below the 1 MiB that a log server accepts by default; larger pieces need fewer round trips. */
const PIECE_BYTES = 512 * 1024;
/** Entries that are fetched ahead while objects are listed. */
const LISTED_AHEAD = 256;
/** How often a piece is asked for that a log server does not have: another one may have it. */
const ATTEMPTS = 4;

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

/** The description of an object, as all clients of NATS write it. */
interface Entry {
  readonly name: string;
  /** Part of the subject of the pieces. */
  readonly nuid: string;
  readonly size: number;
  readonly chunks: number;
  /** `SHA-256=` and the digest in base64url. */
  readonly digest: string;
  readonly deleted?: boolean;
}

interface FoundEntry extends StoredObject {
  readonly entry: Entry;
}

/**
 * The object store of NATS. Objects have its usual format, so its tools can read them. They are
 * read piece by piece, by direct requests: a reader that is slow needs no memory, and goes on after
 * the connection was lost. An object is removed by purging its entry up to the revision that was
 * found, which the log servers do in one step.
 */
export class NatsBucket implements ObjectBucket {
  readonly #bucket: string;
  readonly #stream: string;
  readonly #js: JetStreamClient;
  readonly #manager: JetStreamManager;
  readonly #objects: ObjectStore;
  readonly #patienceMs: number;

  /** Opens a bucket that exists. Throws `unavailable`. */
  static async open(
    connection: NatsConnection,
    bucket: string,
    times: BucketTimes = usualTimes,
  ): Promise<NatsBucket> {
    return storeError(async () => {
      const { answerMs: timeout, patienceMs } = times;
      const js = jetstream(connection, { timeout });
      const manager = await jetstreamManager(connection, { timeout, checkAPI: false });
      return new NatsBucket({ bucket, js, manager, patienceMs, objects: await new Objm(js).open(bucket) });
    });
  }

  private constructor(parts: {
    readonly bucket: string;
    readonly js: JetStreamClient;
    readonly manager: JetStreamManager;
    readonly objects: ObjectStore;
    readonly patienceMs: number;
  }) {
    this.#patienceMs = parts.patienceMs;
    this.#bucket = parts.bucket;
    this.#stream = `OBJ_${parts.bucket}`;
    this.#js = parts.js;
    this.#manager = parts.manager;
    this.#objects = parts.objects;
  }

  find(name: string): Promise<StoredObject | undefined> {
    return this.#ask(() => this.#find(name));
  }

  async *list(prefix: string): AsyncGenerator<StoredObject> {
    for await (const object of this.#entries()) if (object.name.startsWith(prefix)) yield object;
  }

  async put({ name, digest }: NewObject, bytes: AsyncIterable<Uint8Array>): Promise<StoredObject> {
    const checked = new CheckedSource(bytes, name, digest);
    const meta = { name, options: { max_chunk_size: PIECE_BYTES } };
    try {
      await storeError(() => this.#objects.put(meta, ReadableStream.from(checked)));
    } catch (error) {
      throw checked.failure ?? error;
    }
    const stored = await this.find(name);
    if (stored) return stored;
    throw new AppError('unavailable', `The object ${name} was removed while it was stored.`);
  }

  touch(object: StoredObject): Promise<boolean> {
    const { entry, revision } = found(object);
    const rollup = headers();
    rollup.set(JsHeaders.RollupHdr, JsHeaders.RollupValueSubject);
    return this.#ask(async () => {
      try {
        await this.#js.publish(this.#entrySubject(entry.name), JSON.stringify(entry), {
          headers: rollup,
          expect: { lastSubjectSequence: revision },
        });
        return true;
      } catch (error) {
        if (!hasCode(error, JetStreamApiCodes.StreamWrongLastSequence)) throw error;
        return false;
      }
    });
  }

  remove(object: StoredObject): Promise<boolean> {
    const { entry, revision } = found(object);
    return this.#ask(async () => {
      const filter = this.#entrySubject(entry.name);
      const { purged } = await this.#manager.streams.purge(this.#stream, { filter, seq: revision + 1 });
      if (purged === 0) return false;
      await this.#manager.streams.purge(this.#stream, { filter: this.#pieceSubject(entry.nuid) });
      return true;
    });
  }

  async *read(object: StoredObject): AsyncGenerator<Uint8Array> {
    const { entry } = found(object);
    const subject = this.#pieceSubject(entry.nuid);
    const hash = createHash('sha256');
    let next = entry.chunks > 0 ? this.#piece(object, subject, 1) : undefined;
    for (let count = 1; count <= entry.chunks; count++) {
      const { data, seq } = await next!;
      // The next one is on its way while this one is processed.
      next = count < entry.chunks ? this.#piece(object, subject, seq + 1) : undefined;
      next?.catch(() => {});
      hash.update(data);
      yield data;
    }
    const digest = hash.digest('hex');
    if (digest !== object.digest) throw damaged(object.name);
  }

  async removeUnfinished(graceMs: number): Promise<number> {
    const complete = new Set<string>();
    for await (const { entry } of this.#entries()) complete.add(entry.nuid);
    const all = this.#pieceSubject('*');
    const { state } = await this.#ask(() =>
      this.#manager.streams.info(this.#stream, { subjects_filter: all }),
    );
    let removed = 0;
    for (const subject of Object.keys(state.subjects ?? {})) {
      const isOld = !complete.has(subject.slice(all.length - 1)) && (await this.#isOld(subject, graceMs));
      if (!isOld) continue;
      await this.#ask(() => this.#manager.streams.purge(this.#stream, { filter: subject }));
      removed++;
    }
    return removed;
  }

  /** Whether nothing was added to an object for a while. */
  #isOld(subject: string, graceMs: number): Promise<boolean> {
    return this.#ask(async () => {
      const last = await this.#manager.streams.getMessage(this.#stream, { last_by_subj: subject });
      return last !== null && last.time.getTime() <= Date.now() - graceMs;
    });
  }

  /** The leader of the log servers answers, which knows everything that was acknowledged. */
  async #find(name: string): Promise<FoundEntry | undefined> {
    const message = await this.#message({ last_by_subj: this.#entrySubject(name) });
    return message && objectOf(message.json<Entry>(), message.time.getTime(), message.seq);
  }

  async *#entries(): AsyncGenerator<FoundEntry> {
    const consumer = await this.#ask(() =>
      this.#js.consumers.get(this.#stream, {
        filter_subjects: [this.#entrySubject(undefined)],
        deliver_policy: DeliverPolicy.LastPerSubject,
      }),
    );
    const { num_pending: count } = await this.#ask(() => consumer.info());
    if (count === 0) return;
    const messages = await this.#ask(() => consumer.consume({ max_messages: LISTED_AHEAD }));
    for await (const message of messages) {
      const { timestampNanos, pending } = message.info;
      const time = Math.floor(timestampNanos / 1e6);
      const object = objectOf(message.json<Entry>(), time, message.seq);
      if (object) yield object;
      if (pending === 0) break;
    }
  }

  /** Returns the first piece at or after a position in the bucket's stream. */
  async #piece({ name }: StoredObject, subject: string, from: number): Promise<StoredMsg> {
    const query = { seq: from, next_by_subj: subject };
    for (let attempt = 1; attempt < ATTEMPTS; attempt++) {
      const piece = await this.#ask(() => this.#manager.direct.getMessage(this.#stream, query));
      if (piece) return piece;
    }
    const piece = await this.#ask(() => this.#message(query));
    if (piece) return piece;
    if (await this.find(name)) throw damaged(name);
    throw new AppError('not-found', `The object ${name} was removed while it was read.`);
  }

  /** Asks the leader of the log servers. */
  async #message(query: Parameters<JetStreamManager['streams']['getMessage']>[1]) {
    try {
      return (await this.#manager.streams.getMessage(this.#stream, query)) ?? undefined;
    } catch (error) {
      if (hasCode(error, JetStreamApiCodes.NoMessageFound)) return undefined;
      throw error;
    }
  }

  /** Makes a request that is harmless to repeat. */
  #ask<T>(request: () => Promise<T>): Promise<T> {
    return storeError(() => persistently(request, this.#patienceMs));
  }

  #entrySubject(name: string | undefined): string {
    const last = name === undefined ? '>' : Base64UrlPaddedCodec.encode(name);
    return `$O.${this.#bucket}.M.${last}`;
  }

  #pieceSubject(nuid: string): string {
    return `$O.${this.#bucket}.C.${nuid}`;
  }
}

/** Ends with an error if the bytes that were read do not have the digest. */
class CheckedSource implements AsyncIterable<Uint8Array> {
  readonly #bytes: AsyncIterable<Uint8Array>;
  readonly #name: string;
  readonly #digest: string | undefined;
  /** The error of the source. The client of NATS may replace it by an error of its own. */
  failure: unknown;

  constructor(bytes: AsyncIterable<Uint8Array>, name: string, digest: string | undefined) {
    this.#bytes = bytes;
    this.#name = name;
    this.#digest = digest;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    const hash = createHash('sha256');
    try {
      for await (const piece of this.#bytes) {
        hash.update(piece);
        // The client keeps pieces until they fill a message; the source may use its buffer again.
        yield Uint8Array.from(piece);
      }
      if (this.#digest !== undefined && hash.digest('hex') !== this.#digest) throw damaged(this.#name);
    } catch (error) {
      this.failure = error;
      throw error;
    }
  }
}

function found(object: StoredObject): FoundEntry {
  return object as FoundEntry;
}

function objectOf(entry: Entry, modified: number, revision: number): FoundEntry | undefined {
  if (entry.deleted) return undefined;
  const digest = Buffer.from(entry.digest.slice('SHA-256='.length), 'base64url').toString('hex');
  return { name: entry.name, bytes: entry.size, digest, modified, revision, entry };
}

function hasCode(error: unknown, code: number): boolean {
  return error instanceof JetStreamApiError && error.code === code;
}

function damaged(name: string): AppError {
  return new AppError('data-damaged', `The bytes of the object ${name} do not match its digest.`);
}
