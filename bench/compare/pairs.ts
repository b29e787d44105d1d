import { median, ratioSpread, type Spread } from '../measure/statistics.ts';
import type { Figure } from '../report/figure.ts';

/** What both sides gave in one round, one after the other. */
export interface Round {
  readonly here: readonly Figure[];
  readonly there: readonly Figure[];
}

/** One figure on both sides. */
export interface Comparison {
  readonly id: string;
  readonly name: string;
  readonly unit: string;
  /** Medians. */
  readonly here: number;
  readonly there: number;
  /** Here to there, round by round. */
  readonly ratio: Spread;
  readonly verdict: Verdict;
}

export type Verdict = 'better' | 'worse' | 'no clear difference' | 'too few rounds';

/** Differences smaller than this are not worth a word. */
const WORTH_A_WORD = 0.03;
/** Chance of a clear difference where there is none. */
const CHANCE = 0.05;
/** With fewer, even rounds that all agree may be chance. */
const LEAST_ROUNDS = 6;

/** The figures that both sides gave, in their order. */
export function compareRounds(rounds: readonly Round[]): Comparison[] {
  const figures = rounds[0]?.here ?? [];
  return figures.flatMap(({ id, name, unit, better }) => {
    const pairs = rounds.flatMap(({ here, there }) => {
      const [ours, theirs] = [medianOf(here, id), medianOf(there, id)];
      return ours === undefined || theirs === undefined ? [] : [{ ours, theirs }];
    });
    if (pairs.length === 0) return [];
    const ours = pairs.map((pair) => pair.ours);
    const theirs = pairs.map((pair) => pair.theirs);
    const ratio = ratioSpread(ours, theirs);
    const verdict = verdictOf(
      pairs.map(({ ours, theirs }) => ours / theirs),
      better,
    );
    return [{ id, name, unit, here: median(ours), there: median(theirs), ratio, verdict }];
  });
}

/** Names of figures that one side alone gave. */
export function unpaired(rounds: readonly Round[]): string[] {
  const ids = (side: keyof Round) => new Set(rounds.flatMap((round) => round[side].map(({ id }) => id)));
  const [here, there] = [ids('here'), ids('there')];
  return [...[...here].filter((id) => !there.has(id)), ...[...there].filter((id) => !here.has(id))];
}

/**
 * The result is clear if so many rounds agree that chance is unlikely (sign test), and the median
 * differs from 1.
 */
export function verdictOf(ratios: readonly number[], better: Figure['better']): Verdict {
  if (ratios.length < LEAST_ROUNDS) return 'too few rounds';
  const middle = median(ratios);
  const above = ratios.filter((ratio) => ratio > 1).length;
  const agree = middle > 1 ? above : ratios.filter((ratio) => ratio < 1).length;
  const far = Math.abs(Math.log(middle)) >= Math.log1p(WORTH_A_WORD);
  if (!far || chanceOf(agree, ratios.length) > CHANCE) return 'no clear difference';
  return middle > 1 === (better === 'more') ? 'better' : 'worse';
}

/** That at least so many of fair coins fall on the same side, either of the two. */
export function chanceOf(agree: number, count: number): number {
  let ways = 1;
  let sum = 0;
  // `ways` is the number of ways to choose `off` coins that do not agree.
  for (let off = 0; off <= count - agree; off++) {
    sum += ways;
    ways = (ways * (count - off)) / (off + 1);
  }
  return Math.min(1, (2 * sum) / 2 ** count);
}

function medianOf(figures: readonly Figure[], id: string): number | undefined {
  const figure = figures.find((each) => each.id === id);
  return figure && median(figure.values);
}
