import { parseError } from '../errors.ts';
import type { UnfoldingBudget } from '../unfolding-budget.ts';
import { startOf, type Token } from './token-position.ts';

/**
 * The maximum nesting of lists, blank nodes and graphs. N3.js keeps some hundred bytes for each
 * level.
 */
const MAX_DEPTH = 1_000_000;
/** The budget ignores shorter bases. */
const SHORT_BASE = 256;

const absoluteIri = /^[A-Za-z][A-Za-z0-9+.-]*:/;

const nesting: ReadonlyMap<string, number> = new Map([
  ['(', 1],
  ['[', 1],
  ['{', 1],
  [')', -1],
  [']', -1],
  ['}', -1],
]);

/** Limits that N3.js does not have: the depth of nesting, and the work that a long base causes. */
export class TurtleLimits {
  readonly #budget: UnfoldingBudget;
  /** An upper bound of the base's length. */
  #baseLength: number;
  #isBase = false;
  #depth = 0;

  constructor(baseIri: string, budget: UnfoldingBudget) {
    this.#baseLength = baseIri.length;
    this.#budget = budget;
  }

  /** Records a token. Throws `RdfError`. */
  take(token: Token): void {
    const { type } = token;
    if (type === 'IRI') {
      this.#takeIri(token.value);
      return;
    }
    this.#isBase = type === '@base' || type === 'BASE';
    this.#depth += nesting.get(type) ?? 0;
    if (this.#depth > MAX_DEPTH) throw parseError(`Nested deeper than ${MAX_DEPTH} levels`, startOf(token));
  }

  /** Resolving a relative IRI takes time that grows with the base, even if its result is short. */
  #takeIri(value: string): void {
    if (!this.#isBase && this.#baseLength <= SHORT_BASE) return;
    const isAbsolute = absoluteIri.test(value);
    if (!isAbsolute) this.#budget.spend(this.#baseLength);
    if (this.#isBase) this.#baseLength = isAbsolute ? value.length : this.#baseLength + value.length;
    this.#isBase = false;
  }
}
