/** Comparisons of string values, which all terms have (ldpath 5.11, 8.5). */
import type { TermId } from '../../../rdf/model/term-id.ts';
import { indexOf } from '../../compile/text-search.ts';
import type { EvaluationContext } from '../../evaluate/context.ts';
import { singleText } from '../argument.ts';
import { compilePattern } from '../compile-pattern.ts';
import type { TestFunction } from '../function.ts';
import { anyPair, everyPair } from '../pairs.ts';

interface Comparison {
  readonly name: string;
  readonly verb: string;
  /** Returns the part or form of a string that is compared. */
  readonly key: (text: string, context: EvaluationContext) => string;
  readonly holds: (left: string, right: string) => boolean;
}

/** The number of characters that are folded in about the time of a step. */
const FOLDED_A_STEP = 4;
const LONG_TEXT = 1024;

const asIs = (text: string) => text;

const comparisons: readonly Comparison[] = [
  { name: 'equals', verb: 'equals', key: asIs, holds: (left, right) => left === right },
  {
    name: 'equalsIgnoreCase',
    verb: 'equals, ignoring case,',
    key: foldCase,
    holds: (left, right) => left === right,
  },
  { name: 'contains', verb: 'contains', key: asIs, holds: (left, right) => indexOf(left, right) >= 0 },
  { name: 'startsWith', verb: 'starts with', key: asIs, holds: (left, right) => left.startsWith(right) },
  { name: 'endsWith', verb: 'ends with', key: asIs, holds: (left, right) => left.endsWith(right) },
];

/**
 * Folds character by character and independently of language, so a fold never changes the length.
 */
function foldCase(text: string, context: EvaluationContext): string {
  let folded = 0;
  return text.replace(/[A-Z]+|[^\p{ASCII}]/gu, (characters) => {
    if (++folded % FOLDED_A_STEP === 0) context.work(1);
    const upper = sameLength(characters, characters.toUpperCase());
    return sameLength(upper, upper.toLowerCase());
  });
}

function sameLength(before: string, after: string): string {
  return before.length === after.length ? after : before;
}

function comparison({ name, verb, key, holds }: Comparison): TestFunction {
  return {
    kind: 'test',
    name,
    signature: `fn:${name}(left : NodeList, right : NodeList) : Boolean`,
    description: `True if every string on the left ${verb} every string on the right.`,
    minArguments: 2,
    maxArguments: 2,
    accepts: (context, args) =>
      everyPair(context, keys(context, args[0]!, key), keys(context, args[1]!, key), charged(context, holds)),
  };
}

function anyComparison({ name, verb, key, holds }: Comparison): TestFunction {
  const anyName = `any${name[0]!.toUpperCase()}${name.slice(1)}`;
  return {
    kind: 'test',
    name: anyName,
    signature: `fn:${anyName}(left : NodeList, right : NodeList) : Boolean`,
    description: `True if a string on the left ${verb} a string on the right.`,
    minArguments: 2,
    maxArguments: 2,
    accepts: (context, args) =>
      anyPair(context, keys(context, args[0]!, key), keys(context, args[1]!, key), charged(context, holds)),
  };
}

/** Charges comparisons of long texts in addition to the charge per pair. */
function charged(context: EvaluationContext, holds: Comparison['holds']): Comparison['holds'] {
  return (left, right) => {
    if (left.length >= LONG_TEXT) context.read(left);
    return holds(left, right);
  };
}

function keys(context: EvaluationContext, list: readonly TermId[], key: Comparison['key']): string[] {
  return list.map((id) => key(context.stringValue(id), context));
}

const isEmpty: TestFunction = {
  kind: 'test',
  name: 'isEmpty',
  signature: 'fn:isEmpty(nodes : NodeList) : Boolean',
  description: 'True if every string is empty.',
  minArguments: 1,
  maxArguments: 1,
  accepts: (context, args) => args[0]!.every((id) => context.stringValue(id) === ''),
};

const matches: TestFunction = {
  kind: 'test',
  name: 'matches',
  signature: 'fn:matches(nodes : NodeList, pattern : String) : Boolean',
  description: 'True if the regular expression is found in every string.',
  minArguments: 2,
  maxArguments: 2,
  accepts: (context, args) => {
    const source = singleText(context, 'matches', args[1]!);
    const pattern = source === null ? null : compilePattern(context, 'matches', source);
    if (pattern === null) return false;
    return args[0]!.every((id) => pattern.isFoundIn(context.stringValue(id), context));
  },
};

export const stringTests: readonly TestFunction[] = [
  ...comparisons.flatMap((row) => [comparison(row), anyComparison(row)]),
  isEmpty,
  matches,
];
