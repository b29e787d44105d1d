import type { Pattern, Quads } from '@traqula/rules-sparql-1-1';
import { triplesOf } from './templates.ts';

/**
 * Returns the number of triple patterns in patterns, or in the template of `DELETE WHERE`.
 * Undefined if there is anything else, or a path.
 */
export function countTriplePatterns(patterns: readonly (Pattern | Quads)[]): number | undefined {
  let count = 0;
  const open = [...patterns];
  for (let part = open.pop(); part; part = open.pop()) {
    if (part.type === 'pattern' && part.subType === 'group') {
      for (const inner of part.patterns) open.push(inner);
      continue;
    }
    if (part.type !== 'pattern' || part.subType !== 'bgp') return undefined;
    for (const { predicate } of triplesOf(part.triples)) {
      if (predicate.type === 'path') return undefined;
      count++;
    }
  }
  return count;
}
