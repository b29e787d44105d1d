/** Reading arguments that must be one value; null, with a warning, where they are not. */
import type { TermId } from '../../graph/term-id.ts';
import type { EvaluationContext } from '../context.ts';
import { parseNumber } from '../numbers.ts';

/** The string value of the only term. */
export function singleText(
  context: EvaluationContext,
  called: string,
  list: readonly TermId[],
): string | null {
  if (list.length === 1) return context.stringValue(list[0]!);
  context.warn(`fn:${called} needs exactly one value here, and got ${list.length}`);
  return null;
}

/** The only term as an integer, brought into the safe range; `2.0` is one too. */
export function singleInteger(
  context: EvaluationContext,
  called: string,
  list: readonly TermId[],
): number | null {
  const text = list.length === 1 && context.isLiteral(list[0]!) ? context.stringValue(list[0]!) : '';
  const value = integral(text);
  if (value === null) context.warn(`fn:${called} needs exactly one integer here`);
  return value;
}

function integral(text: string): number | null {
  const number = parseNumber(text);
  if (number === null || !number.exact) return null;
  const divisor = 10n ** BigInt(number.scale);
  if (number.units % divisor !== 0n) return null;
  const value = Number(number.units / divisor);
  return Math.max(-Number.MAX_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, value));
}

/** The terms that a function works on: its arguments from `first` on, or the node when none is written (5.1). */
export function subjects(
  args: readonly (readonly TermId[])[],
  first: number,
  node: TermId,
): readonly TermId[] {
  if (args.length <= first) return [node];
  return args.length === first + 1 ? args[first]! : args.slice(first).flat();
}
