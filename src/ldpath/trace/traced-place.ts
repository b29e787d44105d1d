import type * as ast from '../syntax/ast.ts';

/**
 * What a construct reads:
 * - `step`: triples of the node at which it begins; also declarations of sub-properties, which are
 *   no part of the way
 * - `excepted`: the same, but which of the triples count is found out one by one
 * - `all`: triples of every kind
 */
type Reading = 'step' | 'excepted' | 'all';

/** A construct of a program that reads triples. */
export interface TracedPlace {
  readonly id: number;
  /** `@filter` and `@boost` for these. */
  readonly field: string;
  readonly construct: ast.Selector | ast.Test;
  readonly reading: Reading;
  /** Whether it is a part of a test. */
  readonly test: boolean;
}

/** Undefined for a selector that reads triples only through its parts. */
export function readingOf(selector: ast.Selector): Reading | undefined {
  switch (selector.kind) {
    case 'property':
    case 'sub-property':
      return 'step';
    case 'wildcard':
      return selector.except.length > 0 ? 'excepted' : 'step';
    case 'call':
      return 'all';
    default:
      return undefined;
  }
}
