import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readCommandLine } from '../../../src/cli/command-line.ts';

const HOUR_MS = 3_600_000;

function read(...args: string[]) {
  return readCommandLine(args, {});
}

/** Why a command line is refused. */
function refusal(...args: string[]): string {
  const request = read(...args);
  assert.ok(request.kind === 'exit' && request.status === 2, JSON.stringify(request));
  return request.text;
}

describe('the command backup', () => {
  it('makes a plain copy without options, and adds to a repository with them', () => {
    assert.deepEqual(read('backup', 'd', 'c'), { kind: 'backup', directory: 'd', target: 'c' });
    const added = { kind: 'backup-repository', directory: 'd', target: 'b' };
    const keep = { allMs: 24 * HOUR_MS, dailyMs: 7 * 24 * HOUR_MS };
    const request = read('backup', 'd', 'b', '--every', '90m', '--keep', '24h,7d');
    assert.deepEqual(request, { ...added, options: { everyMs: 1.5 * HOUR_MS, keep } });
    const once = { everyMs: undefined, keep: undefined };
    assert.deepEqual(read('backup', 'd', 'b', '--keep', 'all'), { ...added, options: once });
    const short = { everyMs: undefined, keep: { allMs: 30_000, dailyMs: 0 } };
    assert.deepEqual(read('backup', 'd', 'b', '--keep', '30s'), { ...added, options: short });
  });

  for (const [args, words] of [
    [['--every', '1'], /Expected a number above 0 with s, m, h or d/],
    [['--every', '0h'], /Expected a number above 0/],
    [['--every', '30d'], /Expected 24 days at most/],
    [['--keep', '1h,2d,3d'], /Expected two times at most/],
    [['--keep', 'some'], /Expected a number above 0/],
  ] as const) {
    it(`refuses ${args.join(' ')}`, () => assert.match(refusal('backup', 'd', 'b', ...args), words));
  }

  it('makes only whole copies of a cluster', () => {
    const text = refusal('backup', 'nats://h/n', 'b', '--keep', '1h');
    assert.match(text, /--every and --keep need a data directory\. For a cluster, make whole copies/);
  });
});

describe('the command restore', () => {
  it('takes a commit, or a time with a zone', () => {
    const all = { kind: 'restore', from: 'b', target: 'd' };
    const point = (to: string) => {
      const request = read('restore', 'b', 'd', '--to', to);
      return request.kind === 'restore' ? request.point : request;
    };
    assert.deepEqual(read('restore', 'b', 'd'), { ...all, point: undefined });
    assert.deepEqual(point('41'), { kind: 'commit', commit: 41 });
    assert.deepEqual(point('wg5a8ub3.41'), { kind: 'commit', commit: 41, identity: 'wg5a8ub3' });
    const time = Date.UTC(2026, 10, 23, 12);
    assert.deepEqual(point('2026-11-23T12:00:00Z'), { kind: 'time', time });
    assert.deepEqual(point('2026-11-23T13:00:00.5+01:00'), { kind: 'time', time: time + 500 });
    assert.deepEqual(read('restore', 'b', '--list'), { kind: 'list-backups', directory: 'b' });
  });

  it('refuses other points, and a missing directory', () => {
    for (const to of [
      'yesterday',
      '2026-11-23',
      '2026-11-23T12:00:00',
      '2026-13-23T12:00:00Z',
      '2026-02-30T12:00:00Z',
      '-1',
    ]) {
      assert.match(refusal('restore', 'b', 'd', `--to=${to}`), /Expected the number of a commit, or a time/);
    }
    assert.match(refusal('restore', 'b'), /missing required argument 'DIRECTORY'/);
    assert.match(refusal('restore', 'b', 'd', 'more'), /too many arguments/);
  });
});
