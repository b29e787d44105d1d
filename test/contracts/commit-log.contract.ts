import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CommitLog } from '../../src/journal/commit-log.ts';
import type { JournalRecord } from '../../src/journal/record.ts';
import type { Scope } from '../support/scope.ts';

/** A log that is under test, which goes when the test ends. */
export interface LogSubject {
  /**
   * Opens the log in one more process; a local log must be closed before. What has been replayed
   * counts as seen.
   *
   * @param checkpoint number of the last record that a checkpoint covers; 0 by default
   */
  open(checkpoint?: number): Promise<CommitLog>;
  /** Loses a record that has followers, or changes a byte of it, while the log is closed. */
  damage(sequence: number, kind: 'hole' | 'byte'): Promise<void>;
}

export interface SharedLogSubject extends LogSubject {
  /** Lets the next appends time out: some had an effect, some had none, or have it later. */
  timeOut(): void;
}

interface LogKind<Subject extends LogSubject> {
  readonly name: string;
  readonly start: (scope: Scope) => Promise<Subject>;
  /** Why the tests can't run here. */
  readonly skip?: string | undefined;
}

type Claim<Subject> = (claim: string, test: (subject: Subject) => Promise<void>) => void;

function claims<Subject extends LogSubject>({ start, skip }: LogKind<Subject>): Claim<Subject> {
  return (claim, test) =>
    it(claim, { skip: skip ?? false }, async (context) => test(await start(context as Scope)));
}

/** What every log must do. */
export function describeCommitLog(kind: LogKind<LogSubject>): void {
  const onLog = claims(kind);

  describe(`${kind.name}: a log`, () => {
    onLog('returns the records of all groups in order, from any number on', async ({ open }) => {
      const log = await opened(open);
      assert.equal(await log.append([record(1, 'one'), record(2, '')]), 'committed');
      assert.equal(await log.append([record(3, 'th', 're', 'e')]), 'committed');
      assert.equal(log.lastSequence, 3);
      await log.close();
      const again = await open();
      assert.deepEqual(await replayed(again, 1), ['1 one', '2 ', '3 three']);
      assert.equal(again.lastSequence, 3);
      assert.deepEqual(await replayed(again, 3), ['3 three']);
      await again.close();
    });

    onLog('waits for the visitor of a record before the next one', async ({ open }) => {
      const log = await opened(open);
      await log.append([record(1, 'a'), record(2, 'b')]);
      await log.close();
      const again = await open();
      const seen: string[] = [];
      await again.replay(1, async (sequence) => {
        seen.push(`begin ${sequence}`);
        await null;
        seen.push(`end ${sequence}`);
      });
      assert.deepEqual(seen, ['begin 1', 'end 1', 'begin 2', 'end 2']);
      await again.close();
    });

    onLog('returns for ever what an append has resolved for', async ({ open }) => {
      const expected: string[] = [];
      for (let round = 0; round < 3; round++) {
        const log = await opened(open);
        assert.equal(log.lastSequence, expected.length);
        for (let i = 0; i < 5; i++) {
          const next = log.lastSequence + 1;
          assert.equal(await log.append([record(next, `round ${round}`)]), 'committed');
          expected.push(`${next} round ${round}`);
        }
        await (round === 1 ? log.abandon() : log.close());
      }
      const log = await open();
      assert.deepEqual(await replayed(log, 1), expected);
      await log.close();
    });

    onLog('takes an append without records', async ({ open }) => {
      const log = await opened(open);
      assert.equal(await log.append([]), 'committed');
      await log.append([record(1, 'x')]);
      assert.equal(await log.append([]), 'committed');
      assert.equal(log.lastSequence, 1);
      await log.close();
    });

    onLog('goes on after a checkpoint, which frees bytes', async ({ open }) => {
      const log = await opened(open);
      await log.append([record(1, 'x'.repeat(1000)), record(2, 'x'.repeat(1000))]);
      const before = log.bytes;
      await log.beginCheckpoint();
      await log.append([record(3, 'y')]);
      await log.checkpointed(2);
      assert.ok(before >= 2000 && log.bytes < 1000, `${before}, then ${log.bytes}`);
      await log.append([record(4, 'z')]);
      await log.close();
      const again = await open(2);
      assert.deepEqual(await replayed(again, 3), ['3 y', '4 z']);
      await again.close();
    });

    onLog('accepts nothing once it is closed', async ({ open }) => {
      const log = await opened(open);
      await log.append([record(1, 'x')]);
      await log.close();
      await assert.rejects(log.append([record(2, 'y')]), { code: 'writes-disabled' });
      const again = await open();
      assert.deepEqual(await replayed(again, 1), ['1 x']);
      await again.close();
    });

    for (const damage of ['hole', 'byte'] as const) {
      onLog(`reports a ${damage === 'hole' ? 'missing record' : 'changed byte'}`, async (subject) => {
        const log = await opened(subject.open);
        for (let next = 1; next <= 3; next++) {
          await log.append([record(next, `record ${next}`)]);
          await log.beginCheckpoint();
        }
        await log.close();
        await subject.damage(2, damage);
        const reading = async () => {
          const found = await subject.open();
          try {
            await replayed(found, 1);
          } finally {
            await found.abandon();
          }
        };
        await assert.rejects(reading(), { code: 'data-damaged' });
      });
    }
  });
}

/** What a log that several processes share must do in addition. */
export function describeSharedLog(kind: LogKind<SharedLogSubject>): void {
  const onLog = claims(kind);
  describeCommitLog(kind);

  describe(`${kind.name}: a shared log`, () => {
    onLog(
      'lets one of several appends at the same place win; nothing is left of the others',
      async (subject) => {
        const logs = await openedAll(subject, 3);
        for (let round = 1; round <= 5; round++) {
          const outcomes = await Promise.all(
            logs.map((log, index) => log.append([record(log.lastSequence + 1, `${index}`)])),
          );
          assert.deepEqual(outcomes.toSorted(), ['committed', 'conflict', 'conflict']);
          const winner = outcomes.indexOf('committed');
          for (const log of logs) {
            if (log !== logs[winner]) assert.deepEqual(await received(log), [`${round} ${winner}`]);
            assert.equal(log.lastSequence, round);
          }
        }
        await closeAll(logs);
      },
    );

    onLog('brings the records of others in order, each once, and wakes', async (subject) => {
      const [writer, reader] = await openedAll(subject, 2);
      const woken = wakes(reader!);
      await writer!.append([record(1, 'a'), record(2, 'b')], 'state 0');
      await writer!.append([record(3, 'c')], 'state 2');
      const seen: string[] = [];
      while (seen.length < 3) {
        if (!reader!.hasForeign) await woken.next();
        await reader!.receive((sequence, payload, state) =>
          seen.push(`${textOf(sequence, payload)} ${state}`),
        );
      }
      assert.deepEqual(seen, ['1 a state 0', '2 b undefined', '3 c state 2']);
      assert.equal(reader!.hasForeign, false);
      assert.deepEqual(await received(reader!), []);
      await closeAll([writer!, reader!]);
    });

    onLog(
      'gives the digest of the state with the first record of a group at a start, too',
      async (subject) => {
        const writer = await opened(subject.open);
        await writer.append([record(1, 'a'), record(2, 'b')], 'state 0');
        const reader = await subject.open();
        const states: (string | undefined)[] = [];
        await reader.replay(1, (_sequence, _payload, state) => states.push(state));
        assert.deepEqual(states, ['state 0', undefined]);
        await closeAll([writer, reader]);
      },
    );

    onLog(
      'says to a process that is behind that others came first, even without records',
      async (subject) => {
        const [writer, other] = await openedAll(subject, 2);
        await writer!.append([record(1, 'a')]);
        assert.equal(await other!.append([]), 'conflict');
        assert.deepEqual(await received(other!), ['1 a']);
        assert.equal(await other!.append([]), 'committed');
        await closeAll([writer!, other!]);
      },
    );

    onLog('settles every append to exactly one outcome', async (subject) => {
      const logs = await openedAll(subject, 3);
      const committed: string[] = [];
      subject.timeOut();
      await Promise.all(
        logs.map(async (log, index) => {
          for (let i = 0; i < 20; ) {
            const next = log.lastSequence + 1;
            const outcome = await log.append([record(next, `${index}.${i}`), record(next + 1, '')]);
            if (outcome === 'conflict') await log.receive(() => {});
            else committed.push(...[`${next} ${index}.${i++}`, `${next + 1} `]);
          }
        }),
      );
      const reader = await subject.open();
      assert.deepEqual(await replayed(reader, 1), committed.toSorted(byNumber));
      await closeAll([...logs, reader]);
    });

    onLog('never skips a record for a slow process that a checkpoint overtakes', async (subject) => {
      const [writer, slow] = await openedAll(subject, 2);
      for (let next = 1; next <= 6; next++) {
        await writer!.append([record(next, 'x')]);
        if (next % 2 === 1) continue;
        await writer!.beginCheckpoint();
        await writer!.checkpointed(next);
      }
      const seen: number[] = [];
      const receiving = async () => {
        while (seen.length < 6) await slow!.receive((sequence) => seen.push(sequence));
      };
      await receiving().catch(({ code }: { code?: string }) => assert.equal(code, 'data-damaged'));
      assert.deepEqual(seen, [1, 2, 3, 4, 5, 6].slice(0, seen.length));
      const fresh = await subject.open(6);
      assert.deepEqual(await replayed(fresh, 7), []);
      assert.equal(fresh.lastSequence, 6);
      await closeAll([writer!, slow!, fresh]);
    });
  });
}

function record(sequence: number, ...pieces: string[]): JournalRecord {
  return { sequence, payload: pieces.map((piece) => Buffer.from(piece)) };
}

function textOf(sequence: number, payload: Uint8Array): string {
  return `${sequence} ${Buffer.from(payload).toString()}`;
}

function byNumber(a: string, b: string): number {
  return Number.parseInt(a, 10) - Number.parseInt(b, 10);
}

async function replayed(log: CommitLog, from: number): Promise<string[]> {
  const seen: string[] = [];
  await log.replay(from, (sequence, payload) => seen.push(textOf(sequence, payload)));
  return seen;
}

async function received(log: CommitLog): Promise<string[]> {
  const seen: string[] = [];
  await log.receive((sequence, payload) => seen.push(textOf(sequence, payload)));
  return seen;
}

/** Opens the log, and replays it as every store does. */
async function opened(open: LogSubject['open']): Promise<CommitLog> {
  const log = await open();
  await log.replay(1, () => {});
  return log;
}

async function openedAll({ open }: LogSubject, count: number): Promise<CommitLog[]> {
  const logs: CommitLog[] = [];
  for (let i = 0; i < count; i++) logs.push(await opened(open));
  return logs;
}

async function closeAll(logs: readonly CommitLog[]): Promise<void> {
  for (const log of logs) await log.close();
}

/** Counts the wakes of a log. `next` resolves at the next one, or if there was one since. */
function wakes(log: CommitLog): { next(): Promise<void> } {
  let isPending = false;
  let resolve = () => {};
  log.watch(() => {
    isPending = true;
    resolve();
  });
  return {
    async next() {
      if (!isPending) await new Promise<void>((done) => (resolve = done));
      isPending = false;
    },
  };
}
