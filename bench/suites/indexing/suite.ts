/** Stored programs, their feeds, and the indexes that follow them. */
import type { Outcome } from '../../report/figure.ts';
import type { Stage } from '../../stage.ts';
import { commitCosts } from './commit-costs.ts';
import { feedLatency } from './feed-latency.ts';
import { firstIndex } from './first-index.ts';

export async function benchIndexing(stage: Stage): Promise<Outcome> {
  const outcomes = [await firstIndex(stage), await feedLatency(stage), await commitCosts(stage)];
  return {
    figures: outcomes.flatMap(({ figures }) => figures),
    skipped: outcomes.flatMap(({ skipped }) => skipped ?? []),
  };
}
