import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ByteBudget } from '../../../src/base/byte-budget.ts';
import type { Caller } from '../../../src/base/caller.ts';
import type { ChangeHistory } from '../../../src/changes/main/change-history.ts';
import type { ChangedRows } from '../../../src/changes/messages.ts';
import type { Result } from '../../../src/errors.ts';
import type { ProgramChangesRequest } from '../../../src/pool/pool.ts';
import type {
  ChangedLines,
  PreparedWindow,
  ProgramChangesOutput,
} from '../../../src/pool/program-changes.ts';
import type { StreamSource } from '../../../src/services/changes/page-stream.ts';
import { ProgramStream } from '../../../src/services/changes/program-stream.ts';
import { WindowJobs } from '../../../src/services/changes/window-jobs.ts';
import type { StoredProgram } from '../../../src/services/ldpath/stored-programs.ts';
import type { SnapshotDescriptor } from '../../../src/snapshot/descriptor.ts';

const caller: Caller = {
  remoteAddress: '',
  user: undefined,
  access: undefined,
  requestLine: '',
  onAbort() {},
};
const program = {
  mode: 'program',
  name: 'p',
  source: '',
  starts: undefined,
  commit: 1,
  modified: 0,
} as const;
const snapshot = { sequence: 9 } as unknown as SnapshotDescriptor;
const noRows: ChangedRows = {
  bytes: new Uint8Array(0),
  offsets: new Uint32Array(1),
  rows: new Uint32Array(0),
};

function lines(bytes: number): ChangedLines {
  const rest = { errors: [], prepared: null, next: 1, slow: false, milliseconds: 1 };
  return { kind: 'lines', bytes: new Uint8Array(bytes), count: 1, ...rest };
}

interface Fake {
  readonly held?: ByteBudget;
  readonly run: (request: ProgramChangesRequest) => Promise<Result<ProgramChangesOutput>>;
  readonly rowsBetween?: () => Promise<ChangedRows>;
}

/** Returns a function that opens streams of the program. */
function feed({ held = new ByteBudget(1_000_000), run, rowsBetween = async () => noRows }: Fake) {
  const programs = { get: (): StoredProgram => program, position: String };
  const jobs = new WindowJobs({
    store: { changeFeed: new SharedArrayBuffer(0) },
    pool: { programChanges: run as never },
    programs,
  });
  const history = { newest: 9, rowsBetween } as unknown as ChangeHistory;
  const parts = { store: { snapshot }, programs, jobs, held };
  return (since: number) => {
    const request = { program, selection: program, since, caller };
    return new ProgramStream({ history } as unknown as StreamSource, parts, request, () => {});
  };
}

describe('streams of the changed results of a program', () => {
  it('share a job where they are at the same place', async () => {
    let jobs = 0;
    const open = feed({
      run: async () => {
        jobs++;
        return { ok: true, value: lines(10) };
      },
    });
    const parts = await Promise.all([open(3), open(3), open(4)].map((stream) => stream.next(0)));
    assert.equal(jobs, 2);
    assert.ok(parts.every((part) => typeof part === 'object' && part.reached === 9));
  });

  it('go on when another one that has begun their job is stopped', async () => {
    let end = (_: Result<ProgramChangesOutput>) => {};
    const open = feed({
      run: () =>
        new Promise((resolve) => {
          end = resolve;
        }),
    });
    const [first, second] = [open(3), open(3)];
    const results = Promise.all([first.next(0), second.next(0)]);
    first.stop();
    end({ ok: true, value: lines(10) });
    const [stopped, part] = await results;
    assert.equal(stopped, 'stopped');
    assert.ok(typeof part === 'object' && part.reached === 9);
  });

  it('hold no more than the limit of lines that their clients have not taken', async () => {
    const held = new ByteBudget(250_000);
    const open = feed({ held, run: async () => ({ ok: true, value: lines(100_000) }) });
    const streams = [open(3), open(4), open(5)];
    const parts = await Promise.all(streams.map((stream) => stream.next(0)));
    assert.equal(parts.filter((part) => part === 'idle').length, 1);
    assert.equal(held.held, 200_000);
    for (const stream of streams) stream.stop();
    assert.equal(held.held, 0);
  });

  it('say that the changes are not known when the job is given up, for all that share it (F-25)', async () => {
    for (const code of ['cancelled', 'time-limit', 'budget-exceeded'] as const) {
      const error = { code, message: '', details: {} };
      const open = feed({ run: async () => ({ ok: false, error }) });
      const streams = [open(3), open(3)];
      const parts = await Promise.all(streams.map((stream) => stream.next(0)));
      assert.ok(
        parts.every((part) => typeof part === 'object' && part.resync === 9),
        code,
      );
      assert.equal(await streams[0]!.next(0), 'stopped');
    }
  });

  it('come to the end of a window for a client that takes each part after 50 seconds', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const places: number[] = [];
    const open = feed({
      run: async ({ next }) => {
        places.push(next);
        const prepared = next < 3 ? ({} as PreparedWindow) : null;
        return { ok: true, value: { ...lines(10), prepared, next: next + 1 } };
      },
    });
    const stream = open(3);
    for (;;) {
      const part = await stream.next(0);
      assert.ok(typeof part === 'object' && places.length < 10);
      if (part.reached !== undefined) break;
      t.mock.timers.tick(50_000);
    }
    assert.deepEqual(places, [0, 0, 1, 2, 3]);
  });

  it('send a part that is beyond the limit by itself', async () => {
    const held = new ByteBudget(1000);
    const stream = feed({ held, run: async () => ({ ok: true, value: lines(100_000) }) })(3);
    const part = await stream.next(0);
    assert.ok(typeof part === 'object' && part.bytes.length === 100_000);
    stream.stop();
    assert.equal(held.held, 0);
  });

  it('read the rows of large windows one after another', async () => {
    let [now, most] = [0, 0];
    const open = feed({
      rowsBetween: async () => {
        most = Math.max(most, ++now);
        return noRows;
      },
      run: async ({ rows }) => {
        await Promise.resolve();
        if (rows === null) return { ok: true, value: { kind: 'rows-needed' } };
        now--;
        return { ok: true, value: lines(10) };
      },
    });
    await Promise.all([3, 4, 5, 6].map((since) => open(since).next(0)));
    assert.deepEqual([now, most], [0, 1]);
  });
});
