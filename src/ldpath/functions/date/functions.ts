/**
 * Functions on dates, which are compared as instants, in UTC if there is no time zone (ldpath 5.4,
 * Q-F6).
 */
import type { TermId } from '../../../rdf/model/term-id.ts';
import { instant, parseDateTime } from '../../compile/dates.ts';
import type { EvaluationContext } from '../../evaluate/context.ts';
import type { SelectorFunction } from '../function.ts';

function extreme(name: string, words: string, sign: number): SelectorFunction {
  return {
    kind: 'selector',
    name,
    signature: `fn:${name}(nodes : NodeList) : Node`,
    description: `Returns the node with the ${words} date, or the first of several.`,
    minArguments: 1,
    maxArguments: 1,
    evaluate: (context, args, _node, into) => {
      const found = extremeOf(context, args[0]!, sign);
      if (found !== null) into.push(found);
    },
  };
}

/** Returns null if no value is a date. */
function extremeOf(context: EvaluationContext, list: readonly TermId[], sign: number): TermId | null {
  let best: TermId | null = null;
  let bestInstant = Number.NEGATIVE_INFINITY;
  for (const id of list) {
    const date = context.isLiteral(id) ? parseDateTime(context.stringValue(id)) : null;
    if (date === null || sign * instant(date) <= bestInstant) continue;
    best = id;
    bestInstant = sign * instant(date);
  }
  return best;
}

export const dateFunctions: readonly SelectorFunction[] = [
  extreme('earliest', 'earliest', -1),
  extreme('latest', 'latest', 1),
];
