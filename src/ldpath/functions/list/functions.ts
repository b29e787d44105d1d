/** Functions for lists of arbitrary terms (ldpath 8.5). */
import { singleInteger } from '../argument.ts';
import type { SelectorFunction } from '../function.ts';

const firstOne: SelectorFunction = {
  kind: 'selector',
  name: 'firstOne',
  signature: 'fn:firstOne(nodes : NodeList, ...) : Node',
  description: 'Returns the first node of all arguments.',
  minArguments: 0,
  maxArguments: Number.POSITIVE_INFINITY,
  evaluate: (_context, args, _node, into) => {
    const list = args.find(({ length }) => length > 0);
    if (list !== undefined) into.push(list[0]!);
  },
};

const lastOne: SelectorFunction = {
  kind: 'selector',
  name: 'lastOne',
  signature: 'fn:lastOne(nodes : NodeList, ...) : Node',
  description: 'Returns the last node of all arguments.',
  minArguments: 0,
  maxArguments: Number.POSITIVE_INFINITY,
  evaluate: (_context, args, _node, into) => {
    const list = args.findLast(({ length }) => length > 0);
    if (list !== undefined) into.push(list.at(-1)!);
  },
};

const distinct: SelectorFunction = {
  kind: 'selector',
  name: 'distinct',
  signature: 'fn:distinct(nodes : NodeList, ...) : NodeList',
  description: 'Returns the nodes of all arguments without duplicates.',
  minArguments: 0,
  maxArguments: Number.POSITIVE_INFINITY,
  evaluate: (context, args, _node, into) => {
    const seen = new Set(args.flat());
    context.work(seen.size);
    for (const id of seen) into.push(id);
  },
};

const reverse: SelectorFunction = {
  kind: 'selector',
  name: 'reverse',
  signature: 'fn:reverse(nodes : NodeList) : NodeList',
  description: 'Returns the nodes in reverse order.',
  minArguments: 1,
  maxArguments: 1,
  evaluate: (context, args, _node, into) => {
    context.work(args[0]!.length);
    for (const id of args[0]!.toReversed()) into.push(id);
  },
};

const slice: SelectorFunction = {
  kind: 'selector',
  name: 'slice',
  signature: 'fn:slice(nodes : NodeList, start : Integer [, end : Integer]) : NodeList',
  description: 'Returns the nodes from start (counted from 0) up to, not including, end.',
  minArguments: 2,
  maxArguments: 3,
  evaluate: (context, args, _node, into) => {
    const start = singleInteger(context, 'slice', args[1]!);
    const end = args[2] === undefined ? Number.MAX_SAFE_INTEGER : singleInteger(context, 'slice', args[2]);
    if (start === null || end === null) return;
    for (const id of args[0]!.slice(Math.max(start, 0), Math.max(end, 0))) into.push(id);
  },
};

export const listFunctions: readonly SelectorFunction[] = [firstOne, lastOne, distinct, reverse, slice];
