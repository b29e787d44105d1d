/**
 * What functions select and what they look up in the graph, as far as it is not in their arguments.
 * Test functions look up nothing.
 */
import { RDF } from '../../rdf/model/term.ts';
import { forwardStep, type Relation, type Step } from './relation.ts';

export interface FunctionCall {
  readonly name: string;
  /** What the arguments select from the node at which the function is called. */
  readonly args: readonly Relation[];
  /** Offset in the source. */
  readonly start: number;
}

export interface FunctionNature {
  /** From the node at which the function is called to what it selects. */
  relation(call: FunctionCall): Relation;
  /** The look-ups that it makes, at the nodes to which `from` leads from that of the call. */
  lookups(call: FunctionCall): readonly FunctionLookup[];
}

export interface FunctionLookup {
  readonly from: Relation;
  readonly step: Step;
}

/** An unknown function may make anything. It is assumed to look up nothing. */
export function functionNature(name: string): FunctionNature {
  return natures.get(name) ?? makesTerms;
}

const noLookups = { lookups: () => [] };

const makesLiterals: FunctionNature = {
  ...noLookups,
  relation: ({ name, start }) => ({ kind: 'untraceable', by: `fn:${name}`, onlyLiterals: true, at: start }),
};

const makesTerms: FunctionNature = {
  ...noLookups,
  relation: ({ name, start }) => ({ kind: 'untraceable', by: `fn:${name}`, onlyLiterals: false, at: start }),
};

const selectsFromArguments: FunctionNature = {
  ...noLookups,
  relation: (call) => anyOf(call.args),
};

const selectsFromFirst: FunctionNature = {
  ...noLookups,
  relation: (call) => anyOf(call.args.slice(0, 1)),
};

const anyStep: Step = { kind: 'step', predicates: { kind: 'any' }, forward: true, fromLiterals: false };
const member: Step = { ...anyStep, predicates: { kind: 'members' } };
const [first, rest, type] = ['first', 'rest', 'type'].map((name) => forwardStep(RDF + name)) as [
  Step,
  Step,
  Step,
];

const listsTypes: FunctionNature = {
  relation: (call) => sequence(nodes(call), type),
  lookups: (call) => [{ from: nodes(call), step: type }],
};

const listsPredicates: FunctionNature = {
  relation: makesTerms.relation,
  lookups: (call) => [{ from: nodes(call), step: anyStep }],
};

/** Functions on lists and containers. */
function readsCollections(nodesOf: (call: FunctionCall) => Relation): FunctionNature {
  const cells = (call: FunctionCall) =>
    sequence(nodesOf(call), { kind: 'repeat', part: rest, most: Number.POSITIVE_INFINITY });
  return {
    relation: (call) => either(sequence(cells(call), first), sequence(nodesOf(call), member)),
    lookups: (call) => [
      ...[first, rest].map((step) => ({ from: cells(call), step })),
      ...[type, member].map((step) => ({ from: nodesOf(call), step })),
    ],
  };
}

/** The last argument of fn:get is the index. */
function nodesOfGet({ args }: FunctionCall): Relation {
  return anyOrSelf(args.slice(0, -1));
}

/** With two arguments of fn:subList, only the data decide what the first one is (Q-F13). */
function nodesOfSubList({ args }: FunctionCall): Relation {
  const nodes = anyOrSelf(args.slice(0, args.length === 1 ? 0 : 1));
  return args.length === 2 ? either({ kind: 'self' }, nodes) : nodes;
}

function nodes({ args }: FunctionCall): Relation {
  return anyOrSelf(args);
}

function anyOrSelf(args: readonly Relation[]): Relation {
  return args.length === 0 ? { kind: 'self' } : anyOf(args);
}

function anyOf(args: readonly Relation[]): Relation {
  return args.length === 0 ? { kind: 'nothing' } : either(...args);
}

function either(...parts: readonly Relation[]): Relation {
  return parts.length === 1 ? parts[0]! : { kind: 'either', parts };
}

function sequence(...parts: readonly Relation[]): Relation {
  return { kind: 'sequence', parts };
}

/** The names of all selector functions (`test/ldpath/affected/function-natures.test.ts`). */
export const natures: ReadonlyMap<string, FunctionNature> = new Map([
  ...all(selectsFromArguments, ['first', 'last', 'firstOne', 'lastOne', 'distinct', 'min', 'max']),
  ...all(selectsFromFirst, ['sort', 'reverse', 'slice', 'earliest', 'latest']),
  ...all(readsCollections(nodes), ['flatten', 'members']),
  ...all(readsCollections(nodesOfGet), ['get']),
  ...all(readsCollections(nodesOfSubList), ['subList']),
  ...all(listsTypes, ['types']),
  ...all(listsPredicates, ['predicates']),
  ...all(makesTerms, ['datatype', 'iri', 'replace']),
  ...all(makesLiterals, ['concat', 'count', 'str', 'lang', 'local', 'round', 'sum', 'avg']),
  ...all(makesLiterals, ['split', 'strJoin', 'substr', 'strLeft', 'strRight', 'strlen', 'wc']),
  ...all(makesLiterals, ['lower', 'upper', 'trim', 'htmlText', 'cleanHtml', 'css', 'jsonpath']),
  ...all(makesLiterals, ['xpath', 'xmlText', 'removeTags', 'xmlUnescape']),
]);

function all(nature: FunctionNature, names: readonly string[]): [string, FunctionNature][] {
  return names.map((name) => [name, nature]);
}
