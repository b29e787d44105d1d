import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Consumer,
  type ConsumerMessages,
  type JetStreamManager,
  type JsMsg,
  jetstream,
} from '@nats-io/jetstream';
import { type NatsConnection, nanos } from '@nats-io/transport-node';
import type { HeaderFields } from './parts.ts';

/** Two missed heartbeats end a pull; the client's default would need a minute for that. */
const HEARTBEAT_MS = 1000;
const PULL_MS = 5000;
/** When a pull has not ended by itself, the client has missed something. */
const PULL_LIMIT_MS = PULL_MS + 3000;
/** The server forgets a consumer that has not pulled for this time. */
const CONSUMER_MS = 30_000;
const PAUSE_MS = 100;

/** Messages of a pull: many if they are small. */
const FEWEST_MESSAGES = 32;
const MOST_MESSAGES = 2048;
/** Bytes that a pull should have. */
const PULL_BYTES = 16 * 1024 * 1024;
/** Bytes that wait to be read before pulls pause. */
const WAITING_BYTES = 32 * 1024 * 1024;
/** Bytes that wait before the rest of a pull is dropped, to be pulled again later. */
const MOST_WAITING_BYTES = 2 * WAITING_BYTES;
/** Messages that were taken are removed from the queue together. */
const TAKEN_MESSAGES = 1000;

/** A message as it came from one server. It is not verified. */
export interface ReceivedMessage {
  readonly sequence: number;
  readonly fields: HeaderFields;
  readonly body: Uint8Array;
}

interface FollowerEvents {
  /** The messages up to this sequence number are known. */
  readonly after: number;
  readonly onArrival: () => void;
  /** Called when no message has arrived for `PULL_MS`, and when a consumer must be replaced. */
  readonly onPause: () => Promise<void>;
}

const noFields: HeaderFields = { get: () => '' };

/**
 * Receives the messages of a stream, from a sequence number on, over all breaks of the connection.
 * They arrive in order, but some may be missing: that is for the reader to find and to repair.
 */
export class Follower {
  readonly #connection: NatsConnection;
  readonly #manager: JetStreamManager;
  readonly #stream: string;
  readonly #events: FollowerEvents;
  #queue: ReceivedMessage[] = [];
  /** How many of the queue are taken already. */
  #taken = 0;
  #waitingBytes = 0;
  /** The newest sequence number that was received, or need not be. */
  #newest: number;
  #pull: ConsumerMessages | undefined;
  #pullMessages = FEWEST_MESSAGES;
  /** Whether the consumer must be replaced. */
  #isStale = false;
  /** Whether `onPause` has not ended yet. */
  #isPausing = false;
  #isClosed = false;
  #goOn = () => {};
  readonly #ended: Promise<void>;

  constructor(connection: NatsConnection, manager: JetStreamManager, stream: string, events: FollowerEvents) {
    this.#connection = connection;
    this.#manager = manager;
    this.#stream = stream;
    this.#newest = events.after;
    this.#events = events;
    this.#ended = this.#follow();
  }

  /** The oldest message that waits and comes after a sequence number, without removing it. */
  peek(after: number): ReceivedMessage | undefined {
    while (this.#taken < this.#queue.length && this.#queue[this.#taken]!.sequence <= after) this.#drop();
    return this.#queue[this.#taken];
  }

  /** Makes a new consumer now: the old one belonged to a connection that broke. */
  restart(): void {
    this.#isStale = true;
    this.#pull?.stop();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#pull?.stop();
    this.#goOn();
    await this.#ended;
  }

  #drop(): void {
    this.#waitingBytes -= this.#queue[this.#taken++]!.body.length;
    if (this.#taken === this.#queue.length || this.#taken >= TAKEN_MESSAGES) {
      this.#queue.splice(0, this.#taken);
      this.#taken = 0;
    }
    if (this.#waitingBytes < WAITING_BYTES) this.#goOn();
  }

  async #follow(): Promise<void> {
    while (!this.#isClosed) {
      try {
        await this.#useConsumer(await this.#newConsumer());
      } catch {
        // The servers have no leader, or the connection is broken: a new consumer will do.
        if (!this.#isClosed) await sleep(PAUSE_MS);
      }
      // Or the stream is gone, and another one may be in its place.
      if (!this.#isClosed) this.#pause();
    }
  }

  async #newConsumer(): Promise<Consumer> {
    const info = await this.#manager.consumers.add(this.#stream, {
      deliver_policy: 'by_start_sequence',
      opt_start_seq: this.#newest + 1,
      ack_policy: 'none',
      inactive_threshold: nanos(CONSUMER_MS),
      num_replicas: 1,
      mem_storage: true,
    });
    return jetstream(this.#connection).consumers.getConsumerFromInfo(info);
  }

  /** Pulls until something is wrong with the consumer. */
  async #useConsumer(consumer: Consumer): Promise<void> {
    this.#isStale = false;
    try {
      for (let isNew = true; !this.#isStale; isNew = false) {
        await this.#untilRoom();
        if (this.#isClosed) return;
        await this.#pullOnce(consumer, isNew);
      }
    } finally {
      consumer.delete().catch(() => {});
    }
  }

  async #pullOnce(consumer: Consumer, isNew: boolean): Promise<void> {
    const pull = await consumer.fetch({
      max_messages: this.#pullMessages,
      expires: PULL_MS,
      idle_heartbeat: HEARTBEAT_MS,
    });
    this.#pull = pull;
    const timer = setTimeout(() => this.restart(), PULL_LIMIT_MS);
    let count = 0;
    let bytes = 0;
    try {
      let mayBeFirst = isNew;
      for await (const message of pull) {
        // A message that was lost on the way comes again from a new consumer.
        if (message.seq > this.#newest + 1 && !mayBeFirst) return this.restart();
        mayBeFirst = false;
        if (this.#waitingBytes > MOST_WAITING_BYTES) return this.restart();
        this.#accept(message);
        count++;
        bytes += message.data.length;
      }
    } finally {
      clearTimeout(timer);
      this.#pull = undefined;
    }
    if (count === 0 && !this.#isStale) this.#pause();
    const fitting = count === 0 ? FEWEST_MESSAGES : Math.floor((PULL_BYTES * count) / Math.max(bytes, 1));
    this.#pullMessages = Math.min(MOST_MESSAGES, Math.max(FEWEST_MESSAGES, fitting));
  }

  #pause(): void {
    if (this.#isPausing) return;
    this.#isPausing = true;
    this.#events
      .onPause()
      .catch(() => {})
      .finally(() => {
        this.#isPausing = false;
      });
  }

  #accept({ seq, headers, data }: JsMsg): void {
    if (seq <= this.#newest) return;
    this.#newest = seq;
    this.#queue.push({ sequence: seq, fields: headers ?? noFields, body: data });
    this.#waitingBytes += data.length;
    this.#events.onArrival();
  }

  async #untilRoom(): Promise<void> {
    while (this.#waitingBytes >= WAITING_BYTES && !this.#isClosed) {
      await new Promise<void>((resolve) => {
        this.#goOn = resolve;
      });
    }
  }
}
