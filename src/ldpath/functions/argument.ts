/** Reads arguments that must be a single value; null, with a warning, if they are not. */
import type { TermId } from '../../rdf/model/term-id.ts';
import { toInteger } from '../compile/transformers.ts';
import type { EvaluationContext } from '../evaluate/context.ts';

/** Returns the string value of the only term. */
export function singleText(
  context: EvaluationContext,
  called: string,
  list: readonly TermId[],
): string | null {
  if (list.length === 1) return context.stringValue(list[0]!);
  context.warn(`fn:${called} needs exactly one value here, and got ${list.length}`);
  return null;
}

/** Returns the only term as an integer if it converts to xsd:int (Q-T7). */
export function singleInteger(
  context: EvaluationContext,
  called: string,
  list: readonly TermId[],
): number | null {
  const term = list.length === 1 ? context.term(list[0]!) : null;
  const digits = term?.kind === 'literal' ? toInteger(term.value.trim(), 32) : null;
  if (digits !== null) return Number(digits);
  context.warn(`fn:${called} needs exactly one integer here`);
  return null;
}

/**
 * Returns the terms that a function processes: its arguments from `first` on, or the node if there
 * are none (5.1).
 */
export function subjects(
  args: readonly (readonly TermId[])[],
  first: number,
  node: TermId,
): readonly TermId[] {
  if (args.length <= first) return [node];
  return args.length === first + 1 ? args[first]! : args.slice(first).flat();
}
