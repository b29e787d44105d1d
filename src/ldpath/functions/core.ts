/** Functions on lists of any terms (ldpath 5.2). */
import { XSD } from '../../rdf/model/term.ts';
import type { SelectorFunction } from './function.ts';
import { sort } from './list/sort.ts';

const concat: SelectorFunction = {
  kind: 'selector',
  name: 'concat',
  signature: 'fn:concat(nodes : NodeList, ...) : String',
  description: 'Joins the string values of all nodes of all arguments into one string.',
  minArguments: 0,
  maxArguments: Number.POSITIVE_INFINITY,
  evaluate: (context, args, _node, into) => {
    const parts: string[] = [];
    for (const list of args) {
      for (const id of list) {
        const part = context.stringValue(id);
        context.spendText(part.length);
        parts.push(part);
      }
    }
    into.push(context.literal(parts.join('')));
  },
};

const first: SelectorFunction = {
  kind: 'selector',
  name: 'first',
  signature: 'fn:first(nodes : NodeList, ...) : NodeList',
  description: 'Returns all nodes of the first argument that selects a node.',
  minArguments: 0,
  maxArguments: Number.POSITIVE_INFINITY,
  evaluate: (_context, args, _node, into) => {
    for (const id of args.find((list) => list.length > 0) ?? []) into.push(id);
  },
};

const last: SelectorFunction = {
  kind: 'selector',
  name: 'last',
  signature: 'fn:last(nodes : NodeList, ...) : NodeList',
  description: 'Returns all nodes of the last argument that selects a node.',
  minArguments: 0,
  maxArguments: Number.POSITIVE_INFINITY,
  evaluate: (_context, args, _node, into) => {
    for (const id of args.findLast((list) => list.length > 0) ?? []) into.push(id);
  },
};

const count: SelectorFunction = {
  kind: 'selector',
  name: 'count',
  signature: 'fn:count(nodes : NodeList, ...) : Integer',
  description: 'Counts the nodes of each argument; returns one number per argument.',
  minArguments: 0,
  maxArguments: Number.POSITIVE_INFINITY,
  evaluate: (context, args, _node, into) => {
    for (const list of args) into.push(context.literal(String(list.length), `${XSD}integer`));
  },
};

export const coreFunctions = [concat, first, last, count, sort];
