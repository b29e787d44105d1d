import assert from 'node:assert/strict';
import type { JetStreamLog } from '../../../src/cluster/nats/jetstream-log.ts';
import { JournalError } from '../../../src/journal/errors.ts';
import { records, replayed } from '../../support/shared-logs.ts';

/** One process with a log, and all that it has seen of it. */
export class Participant {
  readonly log: JetStreamLog;
  readonly #name: string;
  /** The text of the record `n` is at `n - 1`. */
  readonly seen: string[] = [];
  /** Texts that were acknowledged, by the number of their record. */
  readonly acknowledged = new Map<number, string>();
  #written = 0;
  #tell = () => {};

  /** `log`: nothing of it has been replayed yet. */
  constructor(log: JetStreamLog, name: string) {
    this.log = log;
    this.#name = name;
    log.watch(() => this.#tell());
  }

  async start(): Promise<void> {
    await this.log.replay(1, (sequence, payload) => this.#see(sequence, payload));
  }

  /** Appends until it is told to stop, and takes in what others append. */
  async write(isOver: () => boolean, size = 20): Promise<void> {
    while (!isOver()) {
      const text = `${this.#name}-${this.#written + 1}-`.padEnd(size, 'x');
      const sequence = this.log.lastSequence + 1;
      const outcome = await available(() => this.log.append(records(sequence, text), 'state'));
      if (outcome === 'committed') {
        this.#written++;
        this.acknowledged.set(sequence, text);
        assert.equal(this.seen.length, sequence - 1);
        this.seen.push(text);
      } else {
        await this.receive();
      }
    }
  }

  async receive(): Promise<void> {
    await available(() => this.log.receive((sequence, payload) => this.#see(sequence, payload)));
  }

  /** Takes in all records up to a number. */
  async readThrough(sequence: number): Promise<void> {
    while (this.log.lastSequence < sequence) {
      if (!this.log.hasForeign) await new Promise<void>((resolve) => this.#arm(resolve));
      await this.receive();
    }
  }

  #arm(resolve: () => void): void {
    this.#tell = resolve;
    if (this.log.hasForeign) resolve();
  }

  #see(sequence: number, payload: Uint8Array): void {
    assert.equal(sequence, this.seen.length + 1);
    this.seen.push(Buffer.from(payload).toString());
  }
}

/** Repeats an action while the log is unavailable. */
async function available<T>(action: () => Promise<T>): Promise<T | undefined> {
  try {
    return await action();
  } catch (error) {
    if (error instanceof JournalError && error.code === 'unavailable') {
      await new Promise((resolve) => setTimeout(resolve, 20));
      return undefined;
    }
    throw error;
  }
}

/**
 * Lets all write while something happens to the servers. Then all must have seen the same records
 * in the same order, each acknowledged one once and at its number; so must a log that is opened
 * now. Returns how many were acknowledged.
 */
export async function raceThrough(
  participants: readonly Participant[],
  openFresh: () => Promise<JetStreamLog>,
  happenings: () => Promise<void>,
): Promise<number> {
  let isOver = false;
  const writing = Promise.all(participants.map((participant) => participant.write(() => isOver)));
  // A writer that fails must end the test, not the happenings.
  await Promise.race([happenings(), writing]);
  isOver = true;
  await writing;
  const last = Math.max(...participants.map(({ log }) => log.lastSequence));
  await Promise.all(participants.map((participant) => participant.readThrough(last)));
  const [first] = participants;
  for (const { seen, acknowledged } of participants) {
    assert.deepEqual(seen, first!.seen);
    for (const [sequence, text] of acknowledged) assert.equal(seen[sequence - 1], text);
  }
  assert.equal(new Set(first!.seen).size, first!.seen.length);
  const fresh = await replayed(await openFresh());
  assert.deepEqual(
    fresh.map(({ text }) => text),
    first!.seen,
  );
  return participants.reduce((sum, { acknowledged }) => sum + acknowledged.size, 0);
}
