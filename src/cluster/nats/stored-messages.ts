import { setTimeout as sleep } from 'node:timers/promises';
import type { JetStreamManager, StoredMsg } from '@nats-io/jetstream';
import type { NatsConnection, Status } from '@nats-io/transport-node';
import type { ClusterSettings } from '../settings.ts';
import { FOREIGN, isForeign } from './parts.ts';
import { isTransient, persistently } from './patience.ts';

/** A round asks the leader and the server of the connection, and then connects to another one. */
const ROUNDS_FOR_COPY = 2;
const RECONNECT_MS = 3000;

/** What servers have at a place of a stream. */
export type Finding<T> =
  | { readonly kind: 'found'; readonly value: T }
  /** The place is behind the end. */
  | { readonly kind: 'absent' }
  /** It was removed, because checkpoints cover it. */
  | { readonly kind: 'purged' }
  /** Each server that has it says that it is a message of another program. */
  | { readonly kind: 'foreign' }
  /** It should be there, but no server has it as it was written. */
  | { readonly kind: 'damaged'; readonly reason: string };

/** Turns a message into what the reader wants, or says what is wrong with it. */
export type Accept<T> = (message: StoredMsg) => T | string;

/** Reads single messages of a stream, from one server after another. */
export class StoredMessages {
  readonly #connection: NatsConnection;
  readonly #manager: JetStreamManager;
  readonly #stream: string;
  readonly #rounds: number;

  /** `replicas`: how many servers have a copy of the stream. */
  constructor(
    connection: NatsConnection,
    manager: JetStreamManager,
    { name, replicas }: Pick<ClusterSettings, 'name' | 'replicas'>,
  ) {
    this.#connection = connection;
    this.#manager = manager;
    this.#stream = name;
    this.#rounds = ROUNDS_FOR_COPY * replicas;
  }

  /** Sequence numbers of the first and the last message, as the leader knows them. */
  async range(patienceMs?: number): Promise<{ readonly first: number; readonly last: number }> {
    const { state } = await persistently(() => this.#manager.streams.info(this.#stream), patienceMs);
    return { first: state.first_seq, last: state.last_seq };
  }

  /**
   * Looks for an acceptable message at a sequence number: at the leader, then at the others. One
   * server may have lost a message, or have it with other bytes, without knowing.
   *
   * Error `unavailable`: the servers do not answer.
   *
   * @param patienceMs how long a request is repeated that gets no answer
   */
  async find<T extends object>(
    sequence: number,
    accept: Accept<T>,
    patienceMs?: number,
  ): Promise<Finding<T>> {
    const reasons = new Set<string>();
    for (let round = 1; ; round++) {
      for (const read of [this.#fromLeader, this.#fromNearest]) {
        const message = await persistently(() => read(sequence), patienceMs);
        const value = message && accept(message);
        if (typeof value === 'object') return { kind: 'found', value };
        if (value !== undefined) reasons.add(value);
      }
      const { first, last } = await this.range(patienceMs);
      if (sequence > last) return { kind: 'absent' };
      if (sequence < first) return { kind: 'purged' };
      if (round === this.#rounds) return withoutValue(reasons);
      await this.#connectToAnother();
    }
  }

  /**
   * Returns one of these sequence numbers at which a server has a part of the log; undefined if no
   * server has one. Error `unavailable`.
   */
  async partBetween(first: number, last: number): Promise<number | undefined> {
    for (let round = 1; ; round++) {
      for (let sequence = first; sequence <= last; sequence++) {
        for (const read of [this.#fromLeader, this.#fromNearest]) {
          const message = await persistently(() => read(sequence));
          if (message && !isForeign(message.header)) return sequence;
        }
      }
      if (round === this.#rounds) return undefined;
      await this.#connectToAnother();
    }
  }

  readonly #fromLeader = (seq: number) =>
    orUndefined(this.#manager.streams.getMessage(this.#stream, { seq }));

  /** From the server of the connection, if it has a copy of the stream. */
  readonly #fromNearest = (seq: number) =>
    orUndefined(this.#manager.direct.getMessage(this.#stream, { seq }));

  /** A request that is made while the connection is broken would wait in vain. */
  async #connectToAnother(): Promise<void> {
    const isBack = untilReconnected(this.#connection.status());
    await this.#connection.reconnect();
    await Promise.race([isBack, sleep(RECONNECT_MS, undefined, { ref: false })]);
  }
}

function withoutValue(reasons: ReadonlySet<string>): Finding<never> {
  const [reason = 'no log server has it'] = [...reasons].filter((each) => each !== FOREIGN);
  return reasons.size === 1 && reasons.has(FOREIGN) ? { kind: 'foreign' } : { kind: 'damaged', reason };
}

async function untilReconnected(events: AsyncIterable<Status>): Promise<void> {
  for await (const { type } of events) {
    if (type === 'reconnect') return;
  }
}

/** Servers that can't read a message of theirs answer with an error, as for one that is absent. */
async function orUndefined(message: Promise<StoredMsg | null>): Promise<StoredMsg | undefined> {
  try {
    return (await message) ?? undefined;
  } catch (error) {
    if (isTransient(error)) throw error;
    return undefined;
  }
}
