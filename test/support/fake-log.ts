/**
 * A shared log in memory, with handles for several processes, that behaves as badly as a cluster of
 * log servers may, reproducibly for each seed. Time passes in turns of the queue of microtasks.
 */
import { createHash } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { AppError } from '../../src/errors.ts';
import type { AppendOutcome, CommitLog, VisitRecord } from '../../src/journal/commit-log.ts';
import { writesDisabled } from '../../src/journal/errors.ts';
import type { JournalRecord } from '../../src/journal/record.ts';
import { newIdentity } from '../../src/store/registry/identity.ts';

/** Chances of what may happen to a message. */
export interface FakeLogFaults {
  /** The request of an append does not arrive. */
  readonly lost: number;
  /** The request arrives much later. */
  readonly late: number;
  /** The response to an append does not arrive. */
  readonly unanswered: number;
  /** A record is delivered twice. */
  readonly doubled: number;
  /** The most turns that a message needs. */
  readonly turns: number;
}

export const noFaults: FakeLogFaults = { lost: 0, late: 0, unanswered: 0, doubled: 0, turns: 1 };

export interface Entry {
  readonly sequence: number;
  readonly payload: Uint8Array;
  readonly state?: string;
  readonly digest: string;
}

interface Group {
  readonly id: string;
  readonly expected: number;
  readonly entries: readonly Entry[];
}

type Reply = AppendOutcome | undefined;

/** The servers. */
export class FakeSharedLog {
  readonly identity = newIdentity(0);
  faults: FakeLogFaults;
  readonly #random: () => number;
  readonly #handles = new Set<FakeLog>();
  readonly #ids = new Set<string>();
  /** All records that were ever accepted. */
  readonly history: Entry[] = [];
  #entries: Entry[] = [];
  #purged = 0;
  #covered = 0;
  #opened = 0;

  constructor(random: () => number = () => 0, faults: FakeLogFaults = noFaults) {
    this.#random = random;
    this.faults = faults;
  }

  /** Number of the newest record. */
  get last(): number {
    return this.#entries.at(-1)?.sequence ?? this.#purged;
  }

  /** The records up to this one are gone. */
  get purged(): number {
    return this.#purged;
  }

  get bytes(): number {
    const kept = this.#entries.filter(({ sequence }) => sequence > this.#covered);
    return kept.reduce((sum, { payload }) => sum + payload.length, 0);
  }

  open(): FakeLog {
    const handle = new FakeLog(this, ++this.#opened);
    this.#handles.add(handle);
    return handle;
  }

  forget(handle: FakeLog): void {
    this.#handles.delete(handle);
  }

  /** The records from a number on. Throws `data-damaged` if they are gone. */
  from(sequence: number): readonly Entry[] {
    if (sequence <= this.#purged) throw missing(sequence);
    return this.#entries.filter((entry) => entry.sequence >= sequence);
  }

  chance(probability: number): boolean {
    return this.#random() < probability;
  }

  async delay(factor = 1): Promise<void> {
    const turns = Math.floor(this.#random() * (this.faults.turns + 1)) * factor;
    for (let turn = 0; turn < turns; turn++) await null;
  }

  /** Sends a group; undefined if there is no response. */
  async send(group: Group, from: FakeLog): Promise<Reply> {
    await this.delay();
    if (this.chance(this.faults.lost)) return undefined;
    if (this.chance(this.faults.late)) {
      void this.delay(20).then(() => this.#accept(group, from));
      return undefined;
    }
    const outcome = this.#accept(group, from);
    await this.delay();
    return this.chance(this.faults.unanswered) ? undefined : outcome;
  }

  #accept({ id, expected, entries }: Group, from: FakeLog): AppendOutcome {
    if (this.#ids.has(id)) return 'committed';
    if (expected !== this.last) return 'conflict';
    if (entries.length === 0) return 'committed';
    this.#ids.add(id);
    this.#entries.push(...entries);
    this.history.push(...entries);
    for (const handle of this.#handles) if (handle !== from) this.#deliver(handle);
    return 'committed';
  }

  #deliver(handle: FakeLog): void {
    const { last } = this;
    void this.delay(2).then(() => handle.deliver(last));
    if (this.chance(this.faults.doubled)) void this.delay(4).then(() => handle.deliver(last));
  }

  /** Keeps the records since the checkpoint before, for slow processes. */
  covered(sequence: number): void {
    const before = this.#covered;
    this.#covered = Math.max(before, sequence);
    this.#purged = Math.max(this.#purged, before);
    this.#entries = this.#entries.filter((entry) => entry.sequence > this.#purged);
  }

  /** Loses a record, or changes a byte of it. */
  damage(sequence: number, kind: 'hole' | 'byte'): void {
    this.#entries = this.#entries.flatMap((entry) => {
      if (entry.sequence !== sequence) return [entry];
      if (kind === 'hole') return [];
      const payload = Uint8Array.from(entry.payload);
      payload[0]! ^= 1;
      return [{ ...entry, payload }];
    });
  }
}

/** The log as one process sees it. */
export class FakeLog implements CommitLog {
  readonly isShared = true;
  readonly #shared: FakeSharedLog;
  readonly #process: number;
  #last = 0;
  #delivered = 0;
  #appends = 0;
  #inDoubt = false;
  #isConnected = true;
  #isClosed = false;
  #isKilled = false;
  #wake = () => {};
  /** Called when something has been delivered, or the connection has changed. */
  #changed: (() => void)[] = [];

  constructor(shared: FakeSharedLog, process: number) {
    this.#shared = shared;
    this.#process = process;
  }

  get lastSequence(): number {
    return this.#last;
  }

  get bytes(): number {
    return this.#shared.bytes;
  }

  get isAvailable(): boolean {
    return this.#isConnected && !this.#inDoubt;
  }

  get hasForeign(): boolean {
    return this.#delivered > this.#last;
  }

  /** Whether the process can reach the servers. */
  set isConnected(isConnected: boolean) {
    this.#isConnected = isConnected;
    if (isConnected) this.#delivered = Math.max(this.#delivered, this.#shared.last);
    this.#notify();
  }

  /** From now on nothing happens in this process, but what it has sent may arrive. */
  kill(): void {
    this.#isKilled = true;
    this.#shared.forget(this);
  }

  deliver(last: number): void {
    if (!this.#isConnected || this.#isKilled) return;
    this.#delivered = Math.max(this.#delivered, last);
    this.#notify();
  }

  async append(records: readonly JournalRecord[], state?: string): Promise<AppendOutcome> {
    this.#requireOpen();
    if (!this.#isConnected) throw unavailable();
    const id = `${this.#process}.${++this.#appends}`;
    const entries = records.map((record, index) => entryOf(record, index === 0 ? state : undefined));
    const outcome = await this.#settle({ id, expected: this.#last, entries });
    if (outcome === 'committed') this.#last += entries.length;
    return outcome;
  }

  /** Repeats a group until it is certain what has become of it. */
  async #settle(group: Group): Promise<AppendOutcome> {
    for (let attempt = 1; ; attempt++) {
      // What ends the fault may be in a later turn of the event loop.
      if (attempt % 50 === 0) await turn();
      const outcome = this.#isConnected ? await this.#shared.send(group, this) : undefined;
      if (this.#isKilled) await never;
      if (this.#isClosed) throw writesDisabled('closed', undefined);
      if (outcome === undefined) this.#doubt(true);
      else {
        this.#doubt(false);
        return outcome;
      }
      if (!this.#isConnected && !this.#isClosed) await this.#change();
    }
  }

  #doubt(inDoubt: boolean): void {
    if (this.#inDoubt === inDoubt) return;
    this.#inDoubt = inDoubt;
    this.#notify();
  }

  async replay(fromSequence: number, visit: VisitRecord): Promise<void> {
    this.#last = fromSequence - 1;
    this.#delivered = Math.max(this.#delivered, this.#shared.last);
    await this.#visit(visit);
  }

  watch(wake: () => void): void {
    this.#wake = wake;
  }

  async receive(visit: VisitRecord): Promise<void> {
    this.#requireOpen();
    // Others came first, if there was a conflict; what they wrote may still be on its way.
    while (!this.hasForeign && this.#shared.last > this.#last) {
      if (!this.#isConnected) throw unavailable();
      await this.#change();
    }
    await this.#visit(visit);
  }

  async #visit(visit: VisitRecord): Promise<void> {
    const end = this.#delivered;
    for (const entry of this.hasForeign ? this.#shared.from(this.#last + 1) : []) {
      if (entry.sequence > end) break;
      if (entry.sequence !== this.#last + 1) throw missing(this.#last + 1);
      if (digestOf(entry.payload) !== entry.digest) throw damaged(entry.sequence);
      await this.#shared.delay();
      if (this.#isKilled) await never;
      const pending = visit(entry.sequence, entry.payload, entry.state);
      if (pending instanceof Promise) await pending;
      this.#last = entry.sequence;
    }
    if (this.#last < end) throw missing(this.#last + 1);
  }

  async beginCheckpoint(): Promise<void> {
    if (!this.#isConnected) throw unavailable();
    await this.#shared.delay();
  }

  async checkpointed(sequence: number): Promise<void> {
    await this.#shared.delay();
    if (!this.#isConnected) throw unavailable();
    this.#shared.covered(sequence);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#shared.forget(this);
    this.#notify();
  }

  async abandon(): Promise<void> {
    await this.close();
  }

  #requireOpen(): void {
    if (this.#isClosed) throw writesDisabled('closed', undefined);
  }

  #change(): Promise<void> {
    return new Promise((resolve) => this.#changed.push(resolve));
  }

  #notify(): void {
    for (const resolve of this.#changed.splice(0)) resolve();
    if (!this.#isClosed) this.#wake();
  }
}

const never = new Promise<void>(() => {});

function entryOf({ sequence, payload }: JournalRecord, state: string | undefined): Entry {
  const bytes = Buffer.concat(payload);
  return { sequence, payload: bytes, digest: digestOf(bytes), ...(state !== undefined && { state }) };
}

function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function unavailable(): AppError {
  return new AppError('unavailable', 'The log cannot be reached.');
}

function missing(sequence: number): AppError {
  return new AppError('data-damaged', `Record ${sequence} is missing.`);
}

function damaged(sequence: number): AppError {
  return new AppError('data-damaged', `Record ${sequence} was changed.`);
}
