import type { Site } from '../evaluate/context.ts';
import type { LdPathFunction } from '../functions/function.ts';

/** @throws LdPathError bad-arguments */
export function checkArity(called: LdPathFunction, count: number, { source, span }: Site): void {
  const { minArguments: min, maxArguments: max } = called;
  if (count >= min && count <= max) return;
  const wanted =
    min === max ? `${min}` : max === Number.POSITIVE_INFINITY ? `at least ${min}` : `${min} to ${max}`;
  const message = `fn:${called.name} takes ${wanted} argument${wanted === '1' ? '' : 's'}, not ${count}`;
  throw source.error('bad-arguments', `${message}: ${called.signature}`, span.start);
}
