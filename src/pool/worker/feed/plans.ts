import { LRUCache } from 'lru-cache';
import { type AffectedPlan, compileAffected } from '../../../ldpath/affected/program-plan.ts';
import type { WatchedProgram } from '../../program-changes.ts';
import type { KnownPrefixes } from '../thread-prefixes.ts';

/** Plans that are remembered: their number, and the total length of their keys. */
const PLANS = 1_000;
const TOTAL_LENGTH = 8 * 1024 * 1024;

/** Plans of stored programs, with an LRU cache for each state of the prefixes. */
export class PlanCache {
  readonly #caches = new WeakMap<KnownPrefixes, LRUCache<string, AffectedPlan>>();

  /** `known`: the prefixes that every program knows. Errors: those of compilation. */
  get({ selection, starts }: WatchedProgram, known: KnownPrefixes): AffectedPlan {
    const plans = this.#caches.get(known) ?? newPlans();
    this.#caches.set(known, plans);
    const { source, namespaces } = selection;
    const key = `${JSON.stringify([starts, namespaces])}\n${source}`;
    let plan = plans.get(key);
    if (!plan) {
      const prefixes = { ...known.forPrograms, ...namespaces };
      plan = compileAffected(source, starts ?? undefined, { prefixes });
      plans.set(key, plan);
    }
    return plan;
  }
}

function newPlans(): LRUCache<string, AffectedPlan> {
  return new LRUCache({
    max: PLANS,
    maxSize: TOTAL_LENGTH,
    sizeCalculation: (_plan, key) => key.length,
  });
}
