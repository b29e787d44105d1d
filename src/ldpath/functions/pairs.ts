import type { EvaluationContext } from '../context.ts';

/** True for every pair of the cross product, and so when a list is empty (Q-F1). */
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

/** True for some pair, and so not when a list is empty. */
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
