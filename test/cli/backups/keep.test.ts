import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { keptTimes } from '../../../src/cli/backups/keep.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const START = Date.UTC(2026, 10, 1);

const rules = fc.record({
  allMs: fc.integer({ min: 1, max: 3 * DAY_MS }),
  dailyMs: fc.integer({ min: 0, max: 10 * DAY_MS }),
});
/** Times from one backup to the next. */
const steps = fc.array(fc.integer({ min: 1, max: DAY_MS }), { minLength: 1, maxLength: 60 });

/** Makes one backup after the other, and removes after each what is not kept. */
function simulate(delays: readonly number[], rule: { allMs: number; dailyMs: number }) {
  const made: number[] = [];
  let left: number[] = [];
  let now = START;
  for (const delay of delays) {
    now += delay;
    made.push(now);
    const kept = keptTimes([...left, now], now, rule);
    left = [...left, now].filter((time) => kept.has(time));
  }
  return { made, left, now };
}

describe('the backups that are kept', () => {
  it('include the newest, and a backup at or before each moment of the first time', () => {
    fc.assert(
      fc.property(steps, rules, (delays, rule) => {
        const { made, left, now } = simulate(delays, rule);
        assert.equal(left.at(-1), made.at(-1));
        const from = now - rule.allMs;
        const expected = made.filter((time) => time >= from);
        const before = made.findLast((time) => time < from);
        if (before !== undefined) expected.unshift(before);
        for (const time of expected) assert.ok(left.includes(time));
      }),
    );
  });

  it('include the last one of each day of the second time, and no others', () => {
    fc.assert(
      fc.property(steps, rules, (delays, rule) => {
        const { made, left, now } = simulate(delays, rule);
        const day = (time: number) => Math.floor(time / DAY_MS);
        const isLast = (time: number) => time === made.findLast((other) => day(other) === day(time));
        for (const time of made) {
          if (isLast(time) && time >= now - rule.dailyMs) assert.ok(left.includes(time));
        }
        const before = made.findLast((time) => time < now - rule.allMs);
        for (const time of left) {
          const isDaily = isLast(time) && time >= now - rule.dailyMs;
          assert.ok(isDaily || time >= now - rule.allMs || time === before || time === made.at(-1));
        }
      }),
    );
  });

  it('are all of a day by the hour, and one of each day before', () => {
    const hours = Array.from({ length: 24 * 10 }, (_, i) => START + i * HOUR_MS);
    const now = hours.at(-1)!;
    const kept = [...keptTimes(hours, now, { allMs: DAY_MS, dailyMs: 7 * DAY_MS })];
    // 25 within a day, both ends included; the one before; and the last ones of 6 days.
    assert.equal(kept.length, 32);
  });
});
