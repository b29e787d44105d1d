import { compareCodePoints } from '../../../rdf/model/code-points.ts';
import type { TermId } from '../../../rdf/model/term-id.ts';
import { instant, parseDateTime } from '../../compile/dates.ts';
import { compareNumbers, type Numeric, parseNumber } from '../../compile/numbers.ts';
import type { EvaluationContext } from '../../evaluate/context.ts';
import type { SelectorFunction } from '../function.ts';

const COMPARISONS_A_STEP = 8;
/** The number of characters that are compared by collation in about the time of a step. */
const COLLATED_A_STEP = 64;

/**
 * See ldpath 5.2, with Q-F3 corrected: ascending means ascending, and values that do not convert
 * come last.
 */
export const sort: SelectorFunction = {
  kind: 'selector',
  name: 'sort',
  signature:
    'fn:sort(nodes : NodeList [, "string" | "number" | "date" | "codepoint" [, "asc" | "desc"]]) : NodeList',
  description: 'Sorts the nodes of its first argument, as strings by default.',
  minArguments: 1,
  maxArguments: Number.POSITIVE_INFINITY,
  evaluate: (context, args, _node, into) => {
    const kind = word(context, args[1], 'string');
    const direction = word(context, args[2], 'asc');
    if (kind === null || direction === null) {
      context.warn('fn:sort got an empty list for the kind or the direction');
      return;
    }
    const sorted = sortByKind(context, args[0]!, kind, direction === 'desc' ? -1 : 1);
    for (const id of sorted) into.push(id);
  },
};

/**
 * Returns the first value of an argument in lower case; null if the argument was given but is
 * empty.
 */
function word(
  context: EvaluationContext,
  list: readonly TermId[] | undefined,
  fallback: string,
): string | null {
  if (list === undefined) return fallback;
  return list.length === 0 ? null : context.stringValue(list[0]!).toLowerCase();
}

function sortByKind(
  context: EvaluationContext,
  ids: readonly TermId[],
  kind: string,
  sign: number,
): TermId[] {
  const text = (id: TermId) => context.stringValue(id);
  switch (kind) {
    case 'string':
      return sortBy(
        context,
        ids,
        { keyOf: (id) => collationKey(text(id)), compare: chargedKeys(context) },
        sign,
      );
    case 'codepoint':
      return sortBy(context, ids, { keyOf: text, compare: chargedCodePoints(context) }, sign);
    case 'number':
      return sortBy(context, ids, { keyOf: (id) => parseNumber(text(id)), compare: compareWithNaN }, sign);
    case 'date':
      return sortBy(context, ids, { keyOf: (id) => dateInstant(text(id)), compare: (a, b) => a - b }, sign);
    default:
      return [...ids];
  }
}

/** An ascending order of values by their keys. */
interface Order<Key> {
  /** Returns null if the value has no place in the order. */
  readonly keyOf: (id: TermId) => Key | null;
  readonly compare: (a: Key, b: Key) => number;
}

/**
 * Sorts stably, descending if `sign` is -1; values with a null key come last, in their original
 * order.
 */
function sortBy<Key>(
  context: EvaluationContext,
  ids: readonly TermId[],
  { keyOf, compare }: Order<Key>,
  sign: number,
): TermId[] {
  const keyed: { id: TermId; key: Key }[] = [];
  const rest: TermId[] = [];
  for (const id of ids) {
    const key = keyOf(id);
    if (key === null) rest.push(id);
    else keyed.push({ id, key });
  }
  if (rest.length > 0) context.warn(`fn:sort put ${rest.length} values last that did not convert`);
  let compared = 0;
  keyed.sort((a, b) => {
    if (++compared % COMPARISONS_A_STEP === 0) context.work(1);
    return sign * compare(a.key, b.key) || 0;
  });
  return [...keyed.map(({ id }) => id), ...rest];
}

/** NaN is greater than all numbers: an order must have a position for every value. */
function compareWithNaN(a: Numeric, b: Numeric): number {
  const order = compareNumbers(a, b);
  return Number.isNaN(order) ? Number(isNaNumber(a)) - Number(isNaNumber(b)) : order;
}

function isNaNumber(value: Numeric): boolean {
  return !value.exact && Number.isNaN(value.value);
}

/**
 * The same collation on all machines (8.3). As in the reference, blanks and hyphens count least,
 * after case and accents (then length and code points); other punctuation comes before digits, and
 * these before letters.
 */
const collator = new Intl.Collator('en-US', { ignorePunctuation: false });
const nearlyIgnored = /[\p{White_Space}\p{Pd}\u00ad\u2212]+/gu;

interface CollationKey {
  readonly text: string;
  /** The text without the nearly ignored characters. */
  readonly significant: string;
}

function collationKey(text: string): CollationKey {
  return { text, significant: text.replace(nearlyIgnored, '') };
}

/** Charges comparisons of long texts by their length. */
function chargedKeys(context: EvaluationContext): typeof compareKeys {
  return (a, b) => {
    const length = Math.min(a.significant.length, b.significant.length);
    if (length >= COLLATED_A_STEP) context.work(Math.floor(length / COLLATED_A_STEP));
    return compareKeys(a, b);
  };
}

function chargedCodePoints(context: EvaluationContext): typeof compareCodePoints {
  return (a, b) => {
    if (Math.min(a.length, b.length) >= COLLATED_A_STEP) context.read(a);
    return compareCodePoints(a, b);
  };
}

function compareKeys(a: CollationKey, b: CollationKey): number {
  const order = collator.compare(a.significant, b.significant) || a.text.length - b.text.length;
  return order || compareCodePoints(a.text, b.text);
}

function dateInstant(text: string): number | null {
  const value = parseDateTime(text);
  return value === null ? null : instant(value);
}
