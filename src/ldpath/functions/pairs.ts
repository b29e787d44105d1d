import type { EvaluationContext } from '../evaluate/context.ts';

/**
 * Whether `holds` is true for every pair of the cross product, and so also if a list is empty
 * (Q-F1).
 */
export function everyPair<T>(
  context: EvaluationContext,
  left: readonly T[],
  right: readonly T[],
  holds: (left: T, right: T) => boolean,
): boolean {
  return left.every((l) => {
    context.work(right.length);
    return right.every((r) => holds(l, r));
  });
}

/** Whether `holds` is true for at least one pair, and so not if a list is empty. */
export function anyPair<T>(
  context: EvaluationContext,
  left: readonly T[],
  right: readonly T[],
  holds: (left: T, right: T) => boolean,
): boolean {
  return left.some((l) => {
    context.work(right.length);
    return right.some((r) => holds(l, r));
  });
}
