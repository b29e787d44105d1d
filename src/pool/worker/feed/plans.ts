import { LRUCache } from 'lru-cache';
import { type AffectedPlan, compileAffected } from '../../../ldpath/affected/program-plan.ts';
import type { WatchedProgram } from '../../program-changes.ts';

/** Plans that are remembered: their number, and the total length of their keys. */
const PLANS = 1_000;
const TOTAL_LENGTH = 8 * 1024 * 1024;

/** Plans of stored programs, with an LRU cache. */
export class PlanCache {
  readonly #prefixes: Readonly<Record<string, string>>;
  readonly #plans = new LRUCache<string, AffectedPlan>({
    max: PLANS,
    maxSize: TOTAL_LENGTH,
    sizeCalculation: (_plan, key) => key.length,
  });

  /** `prefixes`: namespaces that every program knows. */
  constructor(prefixes: Readonly<Record<string, string>>) {
    this.#prefixes = prefixes;
  }

  /** Errors: those of compilation. */
  get({ selection, starts }: WatchedProgram): AffectedPlan {
    const { source, namespaces } = selection;
    const key = `${JSON.stringify([starts, namespaces])}\n${source}`;
    let plan = this.#plans.get(key);
    if (!plan) {
      const prefixes = { ...this.#prefixes, ...namespaces };
      plan = compileAffected(source, starts ?? undefined, { prefixes });
      this.#plans.set(key, plan);
    }
    return plan;
  }
}
