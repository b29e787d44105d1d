import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Finding } from '../../src/journal/assessment.ts';
import { JournalError } from '../../src/journal/errors.ts';
import { journalFileName } from '../../src/journal/file-list.ts';
import { type Journal, type JournalOptions, openJournal } from '../../src/journal/journal.ts';
import { fileHeaderBytes, recordHeaderBytes } from '../../src/journal/record.ts';
import { SimDisk } from '../simulation/sim-disk.ts';

/** Groups of payloads. Some payloads are zeros, as the sectors are that a power cut leaves. */
const payload = fc.oneof(
  fc.uint8Array({ maxLength: 40 }),
  fc.integer({ min: 0, max: 1500 }).map((length) => new Uint8Array(length)),
);
const groups = fc.array(fc.array(payload, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 5 });

describe('a journal file', () => {
  it('that is cut at any byte has exactly the records that are completely before the cut', async () => {
    await fc.assert(
      fc.asyncProperty(groups, async (written) => {
        const { disk, name, ends } = await journalOf(written);
        const whole = disk.bytesOf(name).slice();
        const all = written.flat();
        for (let cut = fileHeaderBytes; cut <= whole.length; cut += whole.length > 1000 ? 7 : 1) {
          const copy = new SimDisk({ seed: 1 });
          copy.put(name, whole.slice(0, cut));
          const count = ends.filter((end) => end <= cut).length;
          assert.deepEqual(await replayed(copy), all.slice(0, count).map(hex));
          assert.equal(copy.bytesOf(name).length, count === 0 ? fileHeaderBytes : ends[count - 1]);
        }
      }),
      { numRuns: 15 },
    );
  });

  it('with a flipped bit is rejected, or loses its last group at most, and reports it', async () => {
    await fc.assert(
      fc.asyncProperty(groups, fc.nat(), fc.nat({ max: 7 }), async (written, place, bit) => {
        const { disk, name, ends } = await journalOf(written);
        const bytes = disk.bytesOf(name).slice();
        const offset = place % bytes.length;
        bytes[offset]! ^= 1 << bit;
        disk.put(name, bytes);
        const before = written.slice(0, -1).flat().length;
        const lastGroup = before === 0 ? fileHeaderBytes : ends[before - 1]!;
        if (offset < lastGroup) {
          await assert.rejects(openJournal(disk), { name: 'JournalError', code: 'data-damaged' });
        } else {
          // A closed journal is sealed, so damage at its end can be distinguished from a crash;
          // without the seal it can't.
          await assert.rejects(openJournal(disk), { name: 'JournalError', code: 'data-damaged' });
          await disk.remove('journal.seal');
          const hit = ends.findIndex((end) => offset < end);
          const log: Finding[] = [];
          const found = await replayed(disk, { log: (finding) => log.push(finding) });
          assert.deepEqual(found, written.flat().slice(0, hit).map(hex));
          assert.match(log.map((finding) => finding.case).join(), /^(cut|torn)-tail$/);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('with any bytes in place of a part of it has a prefix of the records or is rejected', async () => {
    await fc.assert(
      fc.asyncProperty(
        groups,
        fc.nat(),
        fc.uint8Array({ minLength: 1, maxLength: 600 }),
        async (written, at, noise) => {
          const { disk, name } = await journalOf(written);
          const bytes = disk.bytesOf(name).slice();
          const offset = at % bytes.length;
          bytes.set(noise.subarray(0, bytes.length - offset), offset);
          disk.put(name, bytes);
          const found = await replayed(disk).catch(asRefusal);
          assert.deepEqual(found, written.flat().slice(0, found.length).map(hex));
          const kept = await replayed(disk, { recover: true }).catch(asRefusal);
          assert.deepEqual(kept, written.flat().slice(0, kept.length).map(hex));
        },
      ),
      { numRuns: 200 },
    );
  });
});

describe('a journal on a faulty disk', () => {
  it('keeps everything acknowledged, in order, through any history of crashes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer(), fc.array(step, { minLength: 1, maxLength: 40 }), async (seed, steps) => {
        const history = new History(seed);
        for (const each of steps) await history.perform(each);
        await history.restart('power');
      }),
      { numRuns: 1000 },
    );
  });
});

type Step =
  | { readonly kind: 'append'; readonly group: readonly Uint8Array[] }
  | { readonly kind: 'rotate' }
  | { readonly kind: 'checkpoint' }
  | { readonly kind: 'fail'; readonly operation: Fault; readonly next: Restart }
  | { readonly kind: 'fill'; readonly room: number }
  | { readonly kind: 'crash'; readonly after: number; readonly next: Restart }
  | { readonly kind: 'restart'; readonly how: Restart };
type Fault = 'open' | 'append' | 'sync' | 'rename' | 'syncDirectory' | 'truncate' | 'remove';
/** A power cut, or a killed process while the system with its cache lives on. */
type Restart = 'power' | 'kill';

const restart = fc.constantFrom<Restart>('power', 'kill');
const fault = fc.constantFrom<Fault>(
  'open',
  'append',
  'sync',
  'rename',
  'syncDirectory',
  'truncate',
  'remove',
);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('append'), group: fc.array(payload, { maxLength: 4 }) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('rotate') }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('checkpoint') }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('fail'), operation: fault, next: restart }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('fill'), room: fc.nat({ max: 2000 }) }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('crash'), after: fc.nat({ max: 12 }), next: restart }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('restart'), how: restart }) },
);

/** A journal and what it must still hold. */
class History {
  readonly #disk: SimDisk;
  #journal: Journal | undefined;
  /**
   * Payloads by sequence number minus one: those that were acknowledged, or were seen after a
   * restart.
   */
  #committed: string[] = [];
  /** Payloads written after those without an acknowledgement. A prefix of them may be stored. */
  #possible: string[] = [];
  #checkpoint = 0;
  /** What follows on the next failure. */
  #next: Restart = 'power';
  /** What was made to fail since the last restart. */
  #faults = new Set<Fault>();

  constructor(seed: number) {
    this.#disk = new SimDisk({ seed, shortReads: 0.1 });
  }

  async perform(step: Step): Promise<void> {
    try {
      await this.#try(step);
    } catch (error) {
      assert.notEqual((error as Error).name, 'AssertionError', error as Error);
      await this.restart(this.#isCacheFalse() ? 'power' : this.#next);
    }
  }

  /**
   * After a failed sync the cache contains data that the disk does not, and the journal can't
   * detect that; so it truncates what it had written. If even that fails, only a power cut reveals
   * the state of the disk.
   */
  #isCacheFalse(): boolean {
    return this.#faults.has('sync') && (this.#disk.crashed || this.#faults.has('truncate'));
  }

  /** Opens the journal anew and compares. */
  async restart(how: Restart): Promise<void> {
    if (how === 'power') this.#disk.restart();
    else this.#disk.kill();
    this.#disk.capacity = Number.POSITIVE_INFINITY;
    this.#faults.clear();
    this.#journal = await openJournal(this.#disk, { checkpoint: this.#checkpoint });
    const found = this.#committed.slice(0, this.#checkpoint);
    await this.#journal.replay(this.#checkpoint + 1, (sequence, bytes) => {
      assert.equal(sequence, found.length + 1);
      found.push(hex(bytes));
    });
    const written = [...this.#committed, ...this.#possible];
    assert.ok(
      found.length >= this.#committed.length,
      `${this.#committed.length - found.length} records were lost`,
    );
    assert.deepEqual(found, written.slice(0, found.length));
    assert.equal(this.#journal.lastSequence, found.length);
    this.#committed = found;
    this.#possible = [];
  }

  async #try(step: Step): Promise<void> {
    if (this.#journal === undefined) await this.restart('power');
    const journal = this.#journal!;
    switch (step.kind) {
      case 'append':
        return this.#append(journal, step.group);
      case 'rotate':
        return journal.beginCheckpoint();
      case 'checkpoint':
        // The checkpoint itself is taken to be durable; its journals go afterwards.
        this.#checkpoint = this.#committed.length;
        return journal.checkpointed(this.#checkpoint);
      case 'fail':
        this.#next = step.next;
        this.#faults.add(step.operation);
        return this.#disk.failNext(step.operation);
      case 'fill':
        this.#disk.capacity = journal.bytes + step.room;
        return;
      case 'crash':
        this.#next = step.next;
        return this.#disk.crashAfter(step.after);
      case 'restart':
        return this.restart(step.how);
    }
  }

  async #append(journal: Journal, group: readonly Uint8Array[]): Promise<void> {
    const next = this.#committed.length + 1;
    this.#possible = group.map(hex);
    await journal.append(group.map((bytes, index) => ({ sequence: next + index, payload: [bytes] })));
    this.#committed.push(...this.#possible);
    this.#possible = [];
  }
}

async function journalOf(written: readonly (readonly Uint8Array[])[]): Promise<{
  disk: SimDisk;
  name: string;
  /** Offset behind each record. */
  ends: number[];
}> {
  const disk = new SimDisk({ seed: 1 });
  const journal = await openJournal(disk);
  const ends: number[] = [];
  let end = fileHeaderBytes;
  for (const group of written) {
    const first = ends.length + 1;
    await journal.append(group.map((bytes, index) => ({ sequence: first + index, payload: [bytes] })));
    for (const bytes of group) {
      end += recordHeaderBytes + bytes.length;
      ends.push(end);
    }
  }
  await journal.close();
  return { disk, name: journalFileName(1), ends };
}

async function replayed(disk: SimDisk, options: JournalOptions = {}): Promise<string[]> {
  const journal = await openJournal(disk, options);
  const found: string[] = [];
  await journal.replay(1, (_sequence, bytes) => found.push(hex(bytes)));
  await journal.close();
  return found;
}

/** Only a refusal is an acceptable failure; it gives no records. */
function asRefusal(error: unknown): string[] {
  assert.ok(error instanceof JournalError && error.code === 'data-damaged', String(error));
  return [];
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
