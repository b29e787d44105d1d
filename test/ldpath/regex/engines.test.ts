import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { searchVisits } from '../../../src/ldpath/regex/backtracking.ts';
import type { Engine } from '../../../src/ldpath/regex/engine.ts';
import { MeteredPattern } from '../../../src/ldpath/regex/metered-pattern.ts';
import { type ParsedPattern, parseJavaPattern } from '../../../src/ldpath/regex/parser.ts';
import { JavaPattern } from '../../../src/ldpath/regex/pattern.ts';
import { refersToUnset } from '../../../src/ldpath/regex/unset-groups.ts';
import { V8Pattern, v8Costs } from '../../../src/ldpath/regex/v8-pattern.ts';
import { NaiveMatcher } from './naive-matcher.ts';
import { anyPatterns, regularPatterns, texts } from './patterns.ts';

class OutOfSteps extends Error {}

/** Counts steps, and throws when there are too many. */
class Meter {
  steps = 0;
  readonly #most: number;

  constructor(most = Number.POSITIVE_INFINITY) {
    this.#most = most;
  }

  work(steps: number): void {
    this.steps += steps;
    if (this.steps > this.#most) throw new OutOfSteps();
  }

  exceeded(message: string): Error {
    return new OutOfSteps(message);
  }
}

function parse(source: string): ParsedPattern | null {
  try {
    return parseJavaPattern(source);
  } catch {
    return null;
  }
}

/** Begin of each match, and texts of its groups. */
function found(engine: Engine, text: string, groupCount: number, meter = new Meter()): unknown[] {
  return Array.from(engine.matches(text, meter), ({ index, groups }) => [
    index,
    ...Array.from(groups).slice(0, groupCount + 1),
  ]);
}

function stepsOf(source: string, text: string): number {
  const meter = new Meter(10_000_000);
  for (const _ of new MeteredPattern(parseJavaPattern(source)).matches(text, meter));
  return meter.steps;
}

/** With something that makes them fail late. */
const linear: readonly (readonly [pattern: string, repeated: string, end: string])[] = [
  ['^(a+)+$x', 'a', '!'],
  ['^(a+)+$', 'a', '!'],
  ['(a|a)*b', 'a', ''],
  ['(a|aa)+$', 'a', '!'],
  ['(.*a){20}b', 'a', ''],
  ['([a-z]+)*=', 'a', ''],
  ['a*a*a*a*b', 'a', ''],
  ['(x+x+)+y', 'x', ''],
  ['^((ab)*)+$', 'ab', 'c'],
  ['(\\w+\\s?)*$', 'word ', '!'],
  ['\\s+$', ' ', 'x'],
  ['[^/]+/', 'a', ''],
  ['a.*b|a', 'a', ''],
  ['(a?){30}a{30}c', 'a', ''],
  ['(?:(a*)*|b)*c', 'a', ''],
  ['(?i)(a|b)*\\bc', 'aB', ''],
  ['.{0,30000}x', 'a', ''],
  ['.{20,30000}x', 'a', ''],
  ['[a😀]{0,300}x', 'a😀', ''],
  ['^(.{0,10000}).*$', 'a', '\n!'],
  ['(?:a{0,9}b?){0,9}c', 'a', ''],
];

describe('the regular-expression engines', () => {
  it('find the same matches', () => {
    let compared = 0;
    fc.assert(
      fc.property(anyPatterns, texts, (source, text) => {
        const parsed = parse(source);
        if (parsed === null || refersToUnset(parsed.tree)) return;
        try {
          const ours = found(new MeteredPattern(parsed), text, parsed.groupCount, new Meter(100_000));
          assert.deepEqual(ours, found(new V8Pattern(parsed), text, parsed.groupCount), source);
          compared++;
        } catch (error) {
          if (!(error instanceof OutOfSteps)) throw error;
        }
      }),
      { numRuns: 3000 },
    );
    assert.ok(compared > 1500, String(compared));
  });

  it('agree on whether there is a match', () => {
    fc.assert(
      fc.property(anyPatterns, texts, (source, text) => {
        const parsed = parse(source);
        if (parsed === null || v8Costs(parsed).length === 0) return;
        const expected = found(new V8Pattern(parsed), text, 0).length > 0;
        for (const engine of [new MeteredPattern(parsed), new V8Pattern(parsed)])
          assert.equal(engine.isFoundIn(text, new Meter()), expected, source);
      }),
    );
  });

  it('run patterns in linear time that make a backtracking matcher superlinear', () => {
    for (const [pattern, repeated, end] of linear) {
      const short = stepsOf(pattern, repeated.repeat(20_000) + end);
      const long = stepsOf(pattern, repeated.repeat(40_000) + end);
      assert.ok(long <= 2.2 * short + 1000, `${pattern}: ${short} steps, then ${long}`);
    }
  });

  it('use V8 for backtracking patterns on short texts only', () => {
    for (const [pattern, repeated, end] of linear) {
      const costs = v8Costs(parseJavaPattern(pattern));
      assert.ok(2 ** costs.length < 5000, `${pattern}: ${2 ** costs.length}`);
      assert.equal(costs[32 - Math.clz32((repeated.repeat(20_000) + end).length)], undefined);
    }
  });

  it('use V8 for patterns that cannot backtrack, regardless of the length of the text', () => {
    for (const pattern of ['foo', '\\s+', '[^A-Za-z]', '#.*', '^http://', 'a|b|c', '(?i)x+'])
      assert.equal(v8Costs(parseJavaPattern(pattern)).length, 21, pattern);
  });

  it('charge for a search in V8 at least the visits of a backtracking matcher', () => {
    fc.assert(
      fc.property(regularPatterns, texts, (source, text) => {
        const parsed = parse(source);
        if (parsed === null) return;
        const bound = searchVisits(parsed.tree, text.length);
        if (bound > 100_000) return;
        const naive = new NaiveMatcher(parsed.tree, parsed.ignoresCase, text);
        const expected = found(new V8Pattern(parsed), text, 0).map((match) => {
          const [index, whole] = match as [number, string];
          return [index, index + whole.length];
        });
        assert.deepEqual(naive.matches(), expected, source);
        assert.ok(naive.visits <= bound, `${source}: ${naive.visits} visits, at most ${bound} were expected`);
      }),
      { numRuns: 2000 },
    );
  });

  it('stop when the budget of the meter is spent', () => {
    for (const [pattern, text] of [
      ['(?>a+)b', 'a'.repeat(50_000)],
      ['(a*)*\\1b', `${'a'.repeat(30)}!`],
      ['(a|b|ab)*\\1c', 'ab'.repeat(5000)],
      ['a(?=a*)c', 'a'.repeat(50_000)],
      ['((a?){90}){90}b', 'a'.repeat(20_000)],
    ] as const) {
      const meter = new Meter(1_000_000);
      const search = () => found(new MeteredPattern(parseJavaPattern(pattern)), text, 0, meter);
      assert.throws(search, OutOfSteps, pattern);
      assert.ok(meter.steps < 1_100_000, `${pattern}: ${meter.steps}`);
    }
  });

  it('match repetitions with large bounds in time that does not depend on the bounds', () => {
    const lengths = (pattern: string, text: string) =>
      Array.from(
        new JavaPattern(pattern, new Meter(1_000_000)).matches(text, new Meter(1_000_000)),
        (match) => match.groups.map((group) => group?.length),
      );
    assert.deepEqual(lengths('.{0,30000}x', 'a'.repeat(20_000)), []);
    assert.deepEqual(lengths('.{30000}', 'a'.repeat(40_000)), [[30_000]]);
    assert.deepEqual(lengths('^(.{0,10000}).*$', 'a'.repeat(20_000)), [[20_000, 10_000]]);
    assert.deepEqual(lengths('a{2147483647}', 'a'.repeat(40_000)), []);
    assert.deepEqual(lengths('[a-c]{3,}?b{30000,}', `aaa${'b'.repeat(30_001)}`), [[30_004]]);
    assert.deepEqual(lengths('(?>[ab]{0,30000})c', `${'ab'.repeat(20_000)}c`), [[30_001]]);
    assert.deepEqual(lengths('.{0,30000}x', `${'😀'.repeat(20_000)}x`), [[40_001]]);
  });

  it('use V8 for large bounds if each repetition consumes a character', () => {
    for (const pattern of ['a{2147483647}', '(?:ab){100000}', '[ab]{5000,100000}'])
      assert.ok(v8Costs(parseJavaPattern(pattern)).length > 8, pattern);
  });

  it('charge for the groups of each match, and for compiling patterns that V8 does not run', () => {
    const empty = `a|${'()'.repeat(1_000)}b`;
    const steps = (pattern: string, text: string) => {
      const meter = new Meter();
      for (const _ of new MeteredPattern(parseJavaPattern(pattern)).matches(text, meter));
      return meter.steps;
    };
    assert.ok(steps(empty, 'a'.repeat(10_000)) > 10_000 * (1_000 / 16));
    const compiling = (pattern: string, text: string) => {
      const meter = new Meter();
      new JavaPattern(pattern, meter).isFoundIn(text, meter);
      return meter.steps;
    };
    const runaway = '(?>a+)b'.padEnd(4_000, 'c');
    assert.ok(compiling(runaway, 'x'.repeat(1_000_000)) >= 11 * (4_000 / 16));
  });

  it('drop notes of failed attempts at positions that no search visits again', () => {
    const many = Array.from({ length: 1_000 }, (_, i) => i).join('|');
    // Without notes each row of characters takes a billion attempts.
    assert.ok(stepsOf(`(?:a|a)*x(?:${many})`, `${'a'.repeat(30)}!`.repeat(10_000)) < 10_000_000);
  });

  it('reject a pattern that is too long after its repetitions are expanded', () => {
    const search = () => found(new MeteredPattern(parseJavaPattern('((?:ab){1000}){1000}')), 'a', 0);
    assert.throws(search, /too many repetitions/);
  });
});
