/** Numeric comparisons (ldpath 5.11): exact for integers and decimals, IEEE for doubles. */
import type { TermId } from '../../../rdf/model/term-id.ts';
import { compareNumbers, type Numeric, parseNumber } from '../../compile/numbers.ts';
import type { EvaluationContext } from '../../evaluate/context.ts';
import type { Arguments, TestFunction } from '../function.ts';
import { anyPair, everyPair } from '../pairs.ts';

/** The result of a comparison for the sign of left minus right; NaN if either is NaN. */
type Holds = (order: number) => boolean;

const comparisons: readonly (readonly [string, string, Holds])[] = [
  ['eq', 'equal to', (order) => order === 0],
  ['ne', 'different from', (order) => order !== 0],
  ['lt', 'less than', (order) => order < 0],
  ['le', 'at most', (order) => order <= 0],
  ['gt', 'greater than', (order) => order > 0],
  ['ge', 'at least', (order) => order >= 0],
];

/** A pair with a value that is not a number fails every comparison, including `ne`. */
function numbers(context: EvaluationContext, list: readonly TermId[]): (Numeric | null)[] {
  return list.map((id) => (context.isLiteral(id) ? parseNumber(context.stringValue(id)) : null));
}

function compares(holds: Holds): (left: Numeric | null, right: Numeric | null) => boolean {
  return (left, right) => left !== null && right !== null && holds(compareNumbers(left, right));
}

function comparison(name: string, words: string, holds: Holds): TestFunction {
  return {
    kind: 'test',
    name,
    signature: `fn:${name}(left : NodeList, right : NodeList) : Boolean`,
    description: `True if every number on the left is ${words} every number on the right.`,
    minArguments: 2,
    maxArguments: 2,
    accepts: (context, args) => everyPair(context, ...both(context, args), compares(holds)),
  };
}

function anyComparison(name: string, words: string, holds: Holds): TestFunction {
  const anyName = `any${name[0]!.toUpperCase()}${name.slice(1)}`;
  return {
    kind: 'test',
    name: anyName,
    signature: `fn:${anyName}(left : NodeList, right : NodeList) : Boolean`,
    description: `True if a number on the left is ${words} a number on the right.`,
    minArguments: 2,
    maxArguments: 2,
    accepts: (context, args) => anyPair(context, ...both(context, args), compares(holds)),
  };
}

function both(context: EvaluationContext, args: Arguments): [(Numeric | null)[], (Numeric | null)[]] {
  return [numbers(context, args[0]!), numbers(context, args[1]!)];
}

export const numericTests: readonly TestFunction[] = comparisons.flatMap((row) => [
  comparison(...row),
  anyComparison(...row),
]);
