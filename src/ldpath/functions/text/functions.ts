/**
 * Functions on string values; positions and lengths are in code points (ldpath 5.8, 8.5, Q-F12).
 */

import { XSD } from '../../../rdf/model/term.ts';
import type { TermId } from '../../../rdf/model/term-id.ts';
import type { EvaluationContext } from '../../evaluate/context.ts';
import type { JavaPattern } from '../../regex/pattern.ts';
import { singleInteger, singleText } from '../argument.ts';
import { compilePattern } from '../compile-pattern.ts';
import type { Arguments, SelectorFunction } from '../function.ts';
import { replace } from './replace.ts';

/** What distinguishes a function that returns one value for each string of its first argument. */
interface EachTextFunction extends Omit<SelectorFunction, 'kind' | 'evaluate'> {
  /** The datatype of the results; without it, they are strings. */
  readonly datatype?: string;
  /**
   * Reads the other arguments and returns the conversion of one string; returns null if an argument
   * is unsuitable.
   */
  readonly prepare: (context: EvaluationContext, args: Arguments) => ((text: string) => string) | null;
}

function eachText({ datatype, prepare, ...described }: EachTextFunction): SelectorFunction {
  return {
    ...described,
    kind: 'selector',
    evaluate: (context, args, _node, into) => {
      const convert = prepare(context, args);
      if (convert === null) return;
      for (const id of args[0]!) into.push(context.literal(convert(context.stringValue(id)), datatype));
    },
  };
}

const substr = eachText({
  name: 'substr',
  signature: 'fn:substr(nodes : NodeList, start : Integer [, end : Integer]) : String',
  description: 'Returns the part of each string from start (counted from 0) up to, not including, end.',
  minArguments: 2,
  maxArguments: 3,
  prepare: (context, args) => {
    const start = singleInteger(context, 'substr', args[1]!);
    const end = args[2] === undefined ? Number.MAX_SAFE_INTEGER : singleInteger(context, 'substr', args[2]);
    if (start === null || end === null) return null;
    if (Math.max(end, 0) >= Math.max(start, 0))
      return (text) => slice(text, Math.max(start, 0), Math.max(end, 0));
    context.warn('fn:substr got an end that is before its start');
    return null;
  },
});

const strLeft = eachText({
  name: 'strLeft',
  signature: 'fn:strLeft(nodes : NodeList, length : Integer) : String',
  description: 'Returns the first characters of each string.',
  minArguments: 2,
  maxArguments: 2,
  prepare: (context, args) => {
    const length = singleInteger(context, 'strLeft', args[1]!);
    return length === null ? null : (text) => slice(text, 0, Math.max(length, 0));
  },
});

const strRight = eachText({
  name: 'strRight',
  signature: 'fn:strRight(nodes : NodeList, length : Integer) : String',
  description: 'Returns the last characters of each string.',
  minArguments: 2,
  maxArguments: 2,
  prepare: (context, args) => {
    const length = singleInteger(context, 'strRight', args[1]!);
    return length === null
      ? null
      : (text) => slice(text, Math.max(codePoints(text) - Math.max(length, 0), 0));
  },
});

const strlen = eachText({
  name: 'strlen',
  signature: 'fn:strlen(nodes : NodeList) : Integer',
  description: 'Counts the characters of each string.',
  minArguments: 1,
  maxArguments: 1,
  datatype: `${XSD}integer`,
  prepare: () => (text) => String(codePoints(text)),
});

const wc = eachText({
  name: 'wc',
  signature: 'fn:wc(nodes : NodeList) : Integer',
  description: 'Counts the words of each string: runs of letters and digits.',
  minArguments: 1,
  maxArguments: 1,
  datatype: `${XSD}integer`,
  prepare: () => (text) => String(text.match(/[\p{L}\p{Nd}]+/gu)?.length ?? 0),
});

const lower = eachText({
  name: 'lower',
  signature: 'fn:lower(nodes : NodeList) : String',
  description: 'Returns each string in lower case.',
  minArguments: 1,
  maxArguments: 1,
  prepare: () => (text) => text.toLowerCase(),
});

const upper = eachText({
  name: 'upper',
  signature: 'fn:upper(nodes : NodeList) : String',
  description: 'Returns each string in upper case.',
  minArguments: 1,
  maxArguments: 1,
  prepare: () => (text) => text.toUpperCase(),
});

const trim = eachText({
  name: 'trim',
  signature: 'fn:trim(nodes : NodeList) : String',
  description: 'Returns each string without surrounding blanks.',
  minArguments: 1,
  maxArguments: 1,
  prepare: () => (text) => text.trim(),
});

const strJoin: SelectorFunction = {
  kind: 'selector',
  name: 'strJoin',
  signature:
    'fn:strJoin(nodes : NodeList, separator : String [, prefix : String [, suffix : String]]) : String',
  description:
    'Joins the strings with a separator between them, a prefix before them and a suffix after them.',
  minArguments: 2,
  maxArguments: 4,
  evaluate: (context, args, _node, into) => {
    const [separator, prefix, suffix] = [args[1]!, args[2], args[3]].map((list) =>
      list === undefined ? '' : singleText(context, 'strJoin', list),
    );
    if (separator === null || prefix === null || suffix === null) return;
    const parts = joinable(context, args[0]!, separator!.length);
    into.push(context.literal(`${prefix}${parts.join(separator)}${suffix}`));
  },
};

/** Returns the strings; charges for them before they are joined. */
function joinable(context: EvaluationContext, ids: readonly TermId[], separatorLength: number): string[] {
  return ids.map((id) => {
    const text = context.stringValue(id);
    context.spendText(text.length + separatorLength);
    return text;
  });
}

const split: SelectorFunction = {
  kind: 'selector',
  name: 'split',
  signature: 'fn:split(nodes : NodeList, pattern : String) : String',
  description: 'Splits each string at every match of a regular expression.',
  minArguments: 2,
  maxArguments: 2,
  evaluate: (context, args, _node, into) => {
    const source = singleText(context, 'split', args[1]!);
    const pattern = source === null ? null : compilePattern(context, 'split', source);
    if (pattern === null) return;
    for (const id of args[0]!) {
      for (const part of pieces(context, context.stringValue(id), pattern)) {
        context.work(1);
        into.push(context.literal(part));
      }
    }
  },
};

/**
 * Yields the text between matches; unlike with `String.split`, groups of the pattern add nothing.
 */
function* pieces(context: EvaluationContext, text: string, pattern: JavaPattern): Iterable<string> {
  let from = 0;
  for (const { index, groups } of pattern.matches(text, context)) {
    if (groups[0] === '') continue;
    yield text.slice(from, index);
    from = index + groups[0]!.length;
  }
  yield text.slice(from);
}

const surrogates = /[\ud800-\udfff]/;

function codePoints(text: string): number {
  return surrogates.test(text) ? [...text].length : text.length;
}

function slice(text: string, start: number, end?: number): string {
  return surrogates.test(text) ? [...text].slice(start, end).join('') : text.slice(start, end);
}

export const textFunctions: readonly SelectorFunction[] = [
  replace,
  split,
  strJoin,
  strLeft,
  strRight,
  strlen,
  substr,
  wc,
  lower,
  upper,
  trim,
];
