/**
 * Functions on numbers: exact for integers and decimals, otherwise doubles (ldpath 5.7, Q-F4,
 * Q-F5).
 */

import { type Literal, XSD } from '../../../rdf/model/term.ts';
import type { TermId } from '../../../rdf/model/term-id.ts';
import {
  compareNumbers,
  type Exact,
  formatDouble,
  formatExact,
  type Numeric,
  parseNumber,
  rescale,
  toDouble,
} from '../../compile/numbers.ts';
import type { EvaluationContext } from '../../evaluate/context.ts';
import type { SelectorFunction } from '../function.ts';

function extreme(name: string, words: string, sign: number): SelectorFunction {
  return {
    kind: 'selector',
    name,
    signature: `fn:${name}(nodes : NodeList, ...) : NodeList`,
    description: `Returns the node with the ${words} number of each argument.`,
    minArguments: 0,
    maxArguments: Number.POSITIVE_INFINITY,
    evaluate: (context, args, _node, into) => {
      for (const list of args) {
        const found = extremeOf(context, list, sign);
        if (found !== null) into.push(found);
      }
    },
  };
}

/** Returns the first of several equal ones; null if no value is a number. */
function extremeOf(context: EvaluationContext, list: readonly TermId[], sign: number): TermId | null {
  let best: { readonly id: TermId; readonly value: Numeric } | null = null;
  for (const { id, value } of numbersOf(context, list)) {
    if (Number.isNaN(toDouble(value))) continue;
    if (best === null || sign * compareNumbers(value, best.value) > 0) best = { id, value };
  }
  return best?.id ?? null;
}

/**
 * Returns the literals that are numbers, judged by their text; a double or float stays one, however
 * it is written.
 */
function numbersOf(context: EvaluationContext, list: readonly TermId[]): { id: TermId; value: Numeric }[] {
  return list.flatMap((id) => {
    const value = context.isLiteral(id) ? numberOf(context, context.term(id) as Literal) : null;
    return value === null ? [] : [{ id, value }];
  });
}

function numberOf(context: EvaluationContext, { value, datatype }: Literal): Numeric | null {
  context.read(value);
  const number = parseNumber(value);
  const isDouble = datatype === `${XSD}double` || datatype === `${XSD}float`;
  return number !== null && isDouble ? { exact: false, value: toDouble(number) } : number;
}

const round: SelectorFunction = {
  kind: 'selector',
  name: 'round',
  signature: 'fn:round(nodes : NodeList) : Integer',
  description: 'Rounds each number to the nearest integer, halves upwards.',
  minArguments: 1,
  maxArguments: 1,
  evaluate: (context, args, _node, into) => {
    for (const { value } of numbersOf(context, args[0]!)) {
      const rounded = roundHalfUp(value);
      if (rounded !== null) into.push(context.literal(rounded.toString(), `${XSD}integer`));
    }
  },
};

/**
 * Rounds to 64 bits; 0 for NaN, and null for the infinities, which the reference does not consider
 * numbers.
 */
function roundHalfUp(value: Numeric): bigint | null {
  const rounded = value.exact ? roundExact(value) : roundDouble(value.value);
  if (rounded === null || BigInt.asIntN(64, rounded) === rounded) return rounded;
  return rounded < 0n ? -(2n ** 63n) : 2n ** 63n - 1n;
}

function roundDouble(value: number): bigint | null {
  if (Number.isNaN(value)) return 0n;
  return Number.isFinite(value) ? BigInt(Math.round(value)) : null;
}

function roundExact({ units, scale }: Exact): bigint {
  const divisor = 10n ** BigInt(scale);
  const doubled = units * 2n + divisor;
  const quotient = doubled / (divisor * 2n);
  return doubled < 0n && doubled % (divisor * 2n) !== 0n ? quotient - 1n : quotient;
}

const sum: SelectorFunction = {
  kind: 'selector',
  name: 'sum',
  signature: 'fn:sum(nodes : NodeList, ...) : Number',
  description:
    'Returns the sum of the numbers of each argument; it is exact if all of them are integers or decimals.',
  minArguments: 0,
  maxArguments: Number.POSITIVE_INFINITY,
  evaluate: (context, args, _node, into) => {
    for (const list of args)
      into.push(numberLiteral(context, total(numbersOf(context, list).map(({ value }) => value))));
  },
};

const avg: SelectorFunction = {
  kind: 'selector',
  name: 'avg',
  signature: 'fn:avg(nodes : NodeList, ...) : Double',
  description: 'Returns the mean of the numbers of each argument; nothing if there are none.',
  minArguments: 0,
  maxArguments: Number.POSITIVE_INFINITY,
  evaluate: (context, args, _node, into) => {
    for (const list of args) {
      const values = numbersOf(context, list).map(({ value }) => value);
      if (values.length === 0) continue;
      into.push(context.literal(formatDouble(toDouble(total(values)) / values.length), `${XSD}double`));
    }
  },
};

function total(values: readonly Numeric[]): Numeric {
  const exact = values.filter((value) => value.exact);
  if (exact.length < values.length) {
    return { exact: false, value: values.reduce((result, value) => result + toDouble(value), 0) };
  }
  const scale = exact.reduce((most, value) => Math.max(most, value.scale), 0);
  return { exact: true, scale, units: exact.reduce((result, value) => result + rescale(value, scale), 0n) };
}

function numberLiteral(context: EvaluationContext, value: Numeric): TermId {
  if (!value.exact) return context.literal(formatDouble(value.value), `${XSD}double`);
  return context.literal(formatExact(value), XSD + (value.scale === 0 ? 'integer' : 'decimal'));
}

export const mathFunctions: readonly SelectorFunction[] = [
  extreme('min', 'smallest', -1),
  extreme('max', 'greatest', 1),
  round,
  sum,
  avg,
];
