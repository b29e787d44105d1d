import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readCapacityArguments } from '../../bench/capacity/options.ts';
import { readCompareArguments } from '../../bench/compare/options.ts';
import { ArgumentError, hasGoals, readBenchArguments } from '../../bench/options.ts';

const bench = (...args: string[]) => {
  const request = readBenchArguments(args);
  assert.ok(request.kind === 'run');
  return request.options;
};
const capacity = (...args: string[]) => {
  const request = readCapacityArguments(args, { PATHPOOL_AUTHORIZATION: 'Bearer x' });
  assert.ok(request.kind === 'run');
  return request.options;
};

test('sizes are triples, of eight a person', () => {
  assert.equal(bench('--size', '10k').persons, 1_250);
  assert.equal(bench('--size', '1M').persons, 125_000);
  assert.equal(bench().persons, 125_000);
  assert.equal(bench('--quick').persons, 12_500);
  assert.equal(bench('--quick', '--size', '10k', '--rounds', '7').rounds, 7);
});

test('goals are for a million triples, and for the sizes of scale; nothing quick is compared with them', () => {
  assert.ok(hasGoals('path', bench()));
  assert.ok(hasGoals('path', bench('--size', '8M')));
  assert.ok(!hasGoals('path', bench('--size', '100k')));
  assert.ok(hasGoals('scale', bench('--size', '100k')));
  for (const size of ['100k', '1M']) {
    const options = bench('--quick', '--size', size);
    for (const suite of ['path', 'scale'] as const) assert.ok(!hasGoals(suite, options));
  }
});

test('--only keeps the order of the suites, --no-peers leaves other engines out', () => {
  assert.deepEqual(bench('--only', 'path,micro').suites, ['micro', 'path']);
  assert.equal(bench('--no-peers').peers, false);
});

test('scale runs only when it is named, over sizes in ascending order', () => {
  assert.ok(!bench().suites.includes('scale'));
  const { suites, sizes } = bench('--only', 'scale', '--sizes', '16M,1M');
  assert.deepEqual([suites, sizes], [['scale'], [1e6, 16e6]]);
  assert.throws(() => bench('--sizes', '100k'), ArgumentError);
});

test('the planner reads times, kinds and threads', () => {
  const options = capacity('--size', '10k', '--p99', '0.2s', '--kinds', 'write,path', '--threads', '4,1,4');
  assert.equal(options.p99, 200);
  assert.deepEqual(options.kinds, ['path', 'write']);
  assert.deepEqual(options.threads, [1, 4]);
  assert.deepEqual(capacity('--data', 'a.ttl', '--data', 'b.nt').subject, {
    kind: 'files',
    files: ['a.ttl', 'b.nt'],
  });
});

test('a server of others is not written to unless that is allowed', () => {
  const url = 'https://data.example.org/store/';
  assert.ok(!capacity('--url', url).kinds.includes('ldp-write'));
  assert.ok(capacity('--url', url, '--writes').kinds.includes('ldp-write'));
  assert.deepEqual(capacity('--url', url).subject, { kind: 'server', url: 'https://data.example.org/store' });
  assert.equal(capacity('--url', url).authorization, 'Bearer x');
});

test('a comparison accepts a revision, and then options of the benchmarks', () => {
  const request = readCompareArguments(['main', '--only', 'path,peers', '--rounds', '3']);
  assert.ok(request.kind === 'run');
  assert.equal(request.ref, 'main');
  assert.deepEqual(
    [request.options.suites, request.options.persons, request.options.rounds],
    [['path'], 12_500, 3],
  );
});

const wrong: readonly [(...args: string[]) => unknown, readonly string[], RegExp][] = [
  [bench, ['--only', 'pth'], /--only: there is no "pth"; expected some of evaluation,/],
  [bench, ['--size', 'big'], /--size: expected a number of triples/],
  [bench, ['--rounds', '0'], /--rounds: expected a whole number from 1/],
  [bench, ['--generator', 'ab'], /--generator: expected own or wrk/],
  [bench, ['--colour'], /Unknown option '--colour'/],
  [capacity, [], /Expected one of --url, --data and --size/],
  [capacity, ['--url', 'http://a', '--data', 'b'], /Expected one of/],
  [capacity, ['--url', 'ftp://a'], /--url: expected an http or https URL/],
  [capacity, ['--url', 'http://a', '--threads', '2'], /--threads: the threads of a running server/],
  [
    capacity,
    ['--url', 'http://a', '--kinds', 'ldp-write'],
    /--kinds: ldp-write writes; allow that with --writes/,
  ],
  [capacity, ['--data', 'a', '--kinds', 'x'], /--kinds: there is no "x"/],
  [capacity, ['--data', 'a', '--writes'], /--writes is for --url/],
  [capacity, ['--data', 'a', '--p99', '50'], /--p99: expected a time such as 50ms/],
  [capacity, ['--data', 'a', '--threads', '1,two'], /--threads: expected a whole number/],
  [(...args) => readCompareArguments(args), [], /Expected a revision first/],
  [(...args) => readCompareArguments(args), ['main', '--only', 'peers'], /cannot be compared by revision/],
];

for (const [read, args, message] of wrong) {
  test(`bad input is rejected with a clear message: ${args.join(' ') || 'nothing'}`, () => {
    assert.throws(() => read(...args), message);
  });
}
