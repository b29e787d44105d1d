/**
 * Functions on RDF lists and containers (ldpath 5.3). Literals among the nodes are skipped, with a
 * warning.
 */
import type { TermId } from '../../../rdf/model/term-id.ts';
import type { EvaluationContext } from '../../evaluate/context.ts';
import { singleInteger, subjects } from '../argument.ts';
import type { Arguments, SelectorFunction } from '../function.ts';
import { containerPlaces, type Place, placesOf } from './members.ts';

const flatten: SelectorFunction = {
  kind: 'selector',
  name: 'flatten',
  signature: 'fn:flatten([nodes : NodeList]) : NodeList',
  description: 'Returns all members of RDF lists and containers, in their order.',
  minArguments: 0,
  maxArguments: 1,
  evaluate: (context, args, node, into) => {
    for (const list of resources(context, 'flatten', subjects(args, 0, node))) {
      pushAll(placesOf(context, list, 0, Number.POSITIVE_INFINITY), into);
    }
  },
};

const members: SelectorFunction = {
  kind: 'selector',
  name: 'members',
  signature: 'fn:members([nodes : NodeList]) : NodeList',
  description: 'Returns all members of RDF lists and of containers, including containers without a type.',
  minArguments: 0,
  maxArguments: 1,
  evaluate: (context, args, node, into) => {
    for (const list of resources(context, 'members', subjects(args, 0, node))) {
      const before = into.length;
      pushAll(placesOf(context, list, 0, Number.POSITIVE_INFINITY), into);
      if (into.length === before) pushAll(containerPlaces(context, list, 0, Number.POSITIVE_INFINITY), into);
    }
  },
};

const get: SelectorFunction = {
  kind: 'selector',
  name: 'get',
  signature: 'fn:get([nodes : NodeList,] index : Integer) : NodeList',
  description: 'Returns the member at an index, counted from 0, of each RDF list or container.',
  minArguments: 1,
  maxArguments: 2,
  evaluate: (context, args, node, into) => {
    const index = singleInteger(context, 'get', args.at(-1)!);
    if (index === null || index < 0) return;
    const found = new Set<TermId>();
    const lists = args.length === 1 ? [node] : args[0]!;
    for (const list of resources(context, 'get', lists)) {
      for (const { members } of placesOf(context, list, index, index + 1)) {
        for (const id of members) found.add(id);
      }
    }
    for (const id of found) into.push(id);
  },
};

const subList: SelectorFunction = {
  kind: 'selector',
  name: 'subList',
  signature: 'fn:subList([nodes : NodeList,] start : Integer [, end : Integer]) : NodeList',
  description:
    'Returns the members from start (counted from 0) up to, not including, end of each RDF list or container.',
  minArguments: 1,
  maxArguments: 3,
  evaluate: (context, args, node, into) => {
    const { lists, bounds } = subListRoles(context, args, node);
    const start = singleInteger(context, 'subList', bounds[0]!);
    const end =
      bounds[1] === undefined ? Number.MAX_SAFE_INTEGER : singleInteger(context, 'subList', bounds[1]);
    if (start === null || end === null) return;
    for (const list of resources(context, 'subList', lists)) {
      pushAll(placesOf(context, list, start, end), into);
    }
  },
};

/** With two arguments, the first is a start only if it is a single literal (Q-F13). */
function subListRoles(
  context: EvaluationContext,
  args: Arguments,
  node: TermId,
): { lists: readonly TermId[]; bounds: Arguments } {
  const first = args[0]!;
  const startsWithBound = args.length === 2 && first.length === 1 && context.isLiteral(first[0]!);
  if (args.length === 1 || startsWithBound) return { lists: [node], bounds: args };
  return { lists: first, bounds: args.slice(1) };
}

function resources(context: EvaluationContext, called: string, nodes: readonly TermId[]): TermId[] {
  context.work(nodes.length);
  return nodes.filter((id) => {
    const isLiteral = context.isLiteral(id);
    if (isLiteral) context.warn(`fn:${called} skipped the literal ${context.text(id)}`);
    return !isLiteral;
  });
}

function pushAll(places: readonly Place[], into: TermId[]): void {
  for (const { members } of places) for (const id of members) into.push(id);
}

export const collectionFunctions: readonly SelectorFunction[] = [flatten, get, members, subList];
