import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { chanceOf, compareRounds, unpaired, verdictOf } from '../../../bench/compare/pairs.ts';
import type { Figure } from '../../../bench/report/figure.ts';

const figure = (id: string, value: number, better: Figure['better'] = 'more'): Figure => {
  return { id, name: id, unit: '/s', better, values: [value] };
};

test('ratios are computed for each round, so that a machine that slows down does not change them', () => {
  const rounds = [1000, 500, 100, 50, 20, 1].map((speed) => ({
    here: [figure('a', speed * 1.2)],
    there: [figure('a', speed)],
  }));
  const [found] = compareRounds(rounds);
  assert.ok(found && Math.abs(found.ratio.median - 1.2) < 1e-9 && Math.abs(found.ratio.low - 1.2) < 1e-9);
  assert.equal(found.verdict, 'better');
});

test('a difference is clear only when so many rounds agree that it can hardly be chance', () => {
  assert.equal(verdictOf([1.2, 1.1, 1.3, 1.2, 1.1], 'more'), 'too few rounds');
  assert.equal(verdictOf([1.2, 1.1, 1.3, 1.2, 1.1, 0.9], 'more'), 'no clear difference');
  assert.equal(verdictOf([1.02, 1.01, 1.02, 1.02, 1.01, 1.02], 'more'), 'no clear difference');
  assert.equal(verdictOf([1.2, 1.1, 1.3, 1.2, 1.1, 1.2], 'more'), 'better');
  assert.equal(verdictOf([1.2, 1.1, 1.3, 1.2, 1.1, 1.2], 'less'), 'worse');
  assert.equal(verdictOf([0.8, 0.7, 0.9, 0.8, 0.7, 0.8], 'less'), 'better');
});

test('the chance that coins agree', () => {
  assert.equal(chanceOf(6, 6), 2 / 64);
  assert.equal(chanceOf(5, 6), 14 / 64);
  assert.equal(chanceOf(3, 6), 1);
});

test('turning the sides round turns the verdict round', () => {
  const values = fc.array(fc.tuple(fc.integer({ min: 1, max: 1000 }), fc.integer({ min: 1, max: 1000 })), {
    minLength: 1,
  });
  const verdict = (pairs: readonly (readonly [number, number])[]) =>
    compareRounds(pairs.map(([a, b]) => ({ here: [figure('a', a)], there: [figure('a', b)] })))[0]!.verdict;
  fc.assert(
    fc.property(values, (pairs) => {
      const turned = verdict(pairs.map(([a, b]) => [b, a]));
      if (verdict(pairs) === 'better') assert.notEqual(turned, 'better');
      if (verdict(pairs) === 'worse') assert.notEqual(turned, 'worse');
    }),
  );
});

test('figures of one side alone are named', () => {
  const rounds = [{ here: [figure('a', 1), figure('b', 1)], there: [figure('b', 1), figure('c', 1)] }];
  assert.deepEqual(
    compareRounds(rounds).map(({ id }) => id),
    ['b'],
  );
  assert.deepEqual(unpaired(rounds), ['a', 'c']);
});
