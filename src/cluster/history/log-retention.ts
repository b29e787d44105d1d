import type { JetStreamManager } from '@nats-io/jetstream';
import type { RetentionLimits } from '../../store/history/retention-limits.ts';
import type { LogPosition } from '../nats/genesis.ts';
import { type GroupObjects, objectBytes, removeUploads } from '../nats/groups.ts';
import { persistently } from '../nats/patience.ts';
import type { StoredMessages } from '../nats/stored-messages.ts';
import { firstPart, firstWanted } from './log-search.ts';

/** Each round removes half of what is too much, since messages differ in size; the last one all. */
const ROUNDS = 8;

export interface LogRetentionParts {
  readonly manager: JetStreamManager;
  /** Name of the stream. */
  readonly stream: string;
  readonly messages: StoredMessages;
  readonly objects: GroupObjects;
  readonly limits: RetentionLimits;
}

/**
 * Removes from a log what no process needs any more, except what is kept for those who read
 * changes. The limit for bytes is that of the whole log, with the objects of huge groups.
 */
export class LogRetention {
  readonly #parts: LogRetentionParts;

  constructor(parts: LogRetentionParts) {
    this.#parts = parts;
  }

  /** Removes messages up to a place, the oldest first. Error `unavailable`. */
  async prune(upTo: LogPosition): Promise<void> {
    const { limits } = this.#parts;
    if (limits.bytes === 0) return this.#removeAll(upTo);
    await this.#purge(Math.min(await this.#firstOfAge(upTo), upTo.sequence + 1), upTo);
    for (let round = 1; round <= ROUNDS; round++) {
      const { first, last, bytes } = await this.#size();
      if (bytes <= limits.bytes || first > upTo.sequence) return;
      const excess = ((bytes - limits.bytes) / bytes) * (last - first + 1);
      const removed = Math.ceil(round < ROUNDS ? excess / 2 : excess);
      await this.#purge(Math.min(first + removed, upTo.sequence + 1), upTo);
    }
  }

  async #removeAll({ sequence, commit }: LogPosition): Promise<void> {
    await this.#purgeMessages(sequence + 1);
    await removeUploads(this.#parts.objects, commit);
  }

  /** Removes the messages before one, and the objects that they name. */
  async #purge(next: number, upTo: LogPosition): Promise<void> {
    if (next > upTo.sequence) return this.#removeAll(upTo);
    const { messages, objects } = this.#parts;
    const { first } = await messages.range();
    if (next <= first) return;
    await this.#purgeMessages(next);
    const part = await firstPart(messages, { first: next, last: upTo.sequence });
    await removeUploads(objects, part ? part.head.first - 1 : upTo.commit);
  }

  async #purgeMessages(next: number): Promise<void> {
    const { manager, stream } = this.#parts;
    await persistently(() => manager.streams.purge(stream, { seq: next }));
  }

  /** Returns the first message that is not too old, by the clock of the log servers. */
  async #firstOfAge({ sequence }: LogPosition): Promise<number> {
    const { messages, objects, limits } = this.#parts;
    const { first } = await messages.range();
    if (limits.ageMs === Number.POSITIVE_INFINITY) return first;
    const oldest = (await objects.clock()) - limits.ageMs;
    const part = await firstWanted(messages, { first, last: sequence }, ({ time }) => time >= oldest);
    return part?.sequence ?? sequence + 1;
  }

  async #size(): Promise<{ readonly first: number; readonly last: number; readonly bytes: number }> {
    const { manager, stream, objects } = this.#parts;
    const { state } = await persistently(() => manager.streams.info(stream));
    const bytes = state.bytes + (await objectBytes(objects));
    return { first: state.first_seq, last: state.last_seq, bytes };
  }
}
