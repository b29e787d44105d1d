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

export type Verdict = 'better' | 'worse' | 'no clear difference';

/** Differences smaller than this are not worth a word. */
const WORTH_A_WORD = 0.03;

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
    const verdict = verdictOf(ratio, better);
    return [{ id, name, unit, here: median(ours), there: median(theirs), ratio, verdict }];
  });
}

/** Names of figures that one side alone gave. */
export function unpaired(rounds: readonly Round[]): string[] {
  const ids = (side: keyof Round) => new Set(rounds.flatMap((round) => round[side].map(({ id }) => id)));
  const [here, there] = [ids('here'), ids('there')];
  return [...[...here].filter((id) => !there.has(id)), ...[...there].filter((id) => !here.has(id))];
}

/** Clear when the middle half of the ratios lies on one side of 1. */
export function verdictOf({ median, low, high }: Spread, better: Figure['better']): Verdict {
  const more = low > 1 && median >= 1 + WORTH_A_WORD;
  const less = high < 1 && median <= 1 - WORTH_A_WORD;
  if (!more && !less) return 'no clear difference';
  return more === (better === 'more') ? 'better' : 'worse';
}

function medianOf(figures: readonly Figure[], id: string): number | undefined {
  const figure = figures.find((each) => each.id === id);
  return figure && median(figure.values);
}
