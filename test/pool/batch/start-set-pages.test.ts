import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Caller } from '../../../src/base/caller.ts';
import { type ErrorCode, errorData, type Result } from '../../../src/errors.ts';
import { packStarts } from '../../../src/pool/batch/start-pack.ts';
import {
  PAGE_STARTS,
  type ReadStarts,
  StartSetPages,
  type StartSetRequest,
} from '../../../src/pool/batch/start-set-pages.ts';
import type { StartsOutput } from '../../../src/pool/messages.ts';
import type { WholeTask } from '../../../src/pool/runs/submission.ts';

type Asked = Parameters<ReadStarts>[0];

const caller = {} as Caller;
const whole = {} as WholeTask;
const subjects: StartSetRequest = {
  set: { kind: 'subjects' },
  namespaces: {},
  after: null,
  limit: Number.POSITIVE_INFINITY,
};

/** A page of members `from` to `to`, of `all`. */
function output(from: number, to: number, all: number): StartsOutput {
  const numbers = Array.from({ length: to - from }, (_, i) => from + i);
  return {
    starts: packStarts(numbers.map((i) => `urn:${i}`)),
    ids: Uint32Array.from(numbers.map((i) => i + 1)),
    after: { generation: 0, id: to },
    isLast: to === all,
    total: all,
    selected: null,
  };
}

/** Reads pages of at most `size` members; `fails` may give the error of an attempt. */
function source(
  all: number,
  size: number,
  fails: (attempt: number) => ErrorCode | undefined = () => undefined,
) {
  const asked: Asked[] = [];
  const read: ReadStarts = (job): Promise<Result<StartsOutput>> => {
    asked.push(job);
    const code = fails(asked.length);
    if (code) return Promise.resolve({ ok: false, error: errorData(code, 'As asked.') });
    const from = job.after?.id ?? 0;
    return Promise.resolve({
      ok: true,
      value: output(from, Math.min(from + Math.min(size, job.most), all), all),
    });
  };
  return { asked, read };
}

/** Returns these pages, one after another. */
function answering(answers: readonly StartsOutput[]) {
  const asked: Asked[] = [];
  const read: ReadStarts = (job) => {
    asked.push(job);
    return Promise.resolve({ ok: true, value: answers[asked.length - 1]! });
  };
  return { asked, read };
}

async function open(read: ReadStarts, more: Partial<StartSetRequest> = {}): Promise<StartSetPages> {
  const pages = await StartSetPages.open({ ...subjects, ...more }, read, caller);
  assert.ok(pages.ok);
  return pages.value;
}

async function lengths(pages: StartSetPages): Promise<number[]> {
  const found: number[] = [];
  for (let page = await pages.next(caller, whole); page; page = await pages.next(caller, whole)) {
    found.push(page.length);
  }
  return found;
}

test('each page begins after the one before it, and only the first one is counted', async () => {
  const { asked, read } = source(25, 10);
  const pages = await open(read);
  assert.equal(pages.total, 25);
  assert.deepEqual(await lengths(pages), [10, 10, 5]);
  assert.deepEqual(
    asked.map(({ after, counted }) => [after?.id, counted]),
    [
      [undefined, true],
      [10, false],
      [20, false],
    ],
  );
  assert.equal(pages.rest, null);
});

test('a limit ends the set, and says where the rest begins', async () => {
  const { asked, read } = source(25, 10);
  const pages = await open(read, { limit: 13 });
  assert.equal(pages.total, 13);
  assert.deepEqual(await lengths(pages), [10, 3]);
  assert.deepEqual(
    asked.map(({ most }) => most),
    [13, 3],
  );
  assert.deepEqual(pages.rest, { generation: 0, id: 13 });
});

test('a limit that the set just reaches leaves no rest', async () => {
  const pages = await open(source(20, 10).read, { limit: 20 });
  assert.deepEqual(await lengths(pages), [10, 10]);
  assert.equal(pages.rest, null);
});

test('an empty page does not end a set, and the members before it stay known', async () => {
  const answers = [output(0, 5, 9), output(5, 5, 9), output(5, 9, 9)];
  const { asked, read } = answering(answers);
  assert.deepEqual(await lengths(await open(read)), [5, 0, 4]);
  assert.deepEqual(asked[2]!.before, answers[0]!.starts);
});

test('a page whose thread was terminated is read again', async () => {
  const { asked, read } = source(20, 10, (attempt) =>
    attempt === 2 || attempt === 3 ? 'internal' : undefined,
  );
  assert.deepEqual(await lengths(await open(read)), [10, 10]);
  assert.equal(asked.length, 4);
});

for (const [code, attempts] of [
  ['internal', 4],
  ['cancelled', 2],
  ['shutting-down', 2],
] as const) {
  test(`a page that always ends with ${code} is an error after ${attempts - 1} attempts`, async () => {
    const { asked, read } = source(20, 10, (attempt) => (attempt > 1 ? code : undefined));
    await assert.rejects(lengths(await open(read)), { code });
    assert.equal(asked.length, attempts);
  });
}

test('an error of the first page is reported as it is', async () => {
  const { read } = source(20, 10, () => 'parse-error');
  const pages = await StartSetPages.open(subjects, read, caller);
  assert.equal(pages.ok ? undefined : pages.error.code, 'parse-error');
});

test('no page is requested with more members than fit in memory', async () => {
  const { asked, read } = source(PAGE_STARTS * 2, PAGE_STARTS * 2);
  await lengths(await open(read));
  assert.ok(asked.every(({ most }) => most <= PAGE_STARTS));
});

test('members before a cursor stay known as such if its first page is empty', async () => {
  const { asked, read } = answering([output(5, 5, 9), output(5, 9, 9)]);
  const pages = await open(read, { after: { generation: 0, id: 5 } });
  assert.deepEqual(await lengths(pages), [0, 4]);
  // A thread whose ids have changed since would begin with the first member otherwise.
  assert.equal(asked[1]!.before, null);
});

test('an empty page at the beginning of a set has no members before it', async () => {
  const { asked, read } = answering([output(0, 0, 9), output(0, 9, 9)]);
  assert.deepEqual(await lengths(await open(read)), [0, 9]);
  assert.equal(asked[1]!.before?.bounds.length, 0);
});
