import type * as ast from '../syntax/ast.ts';
import { type FunctionCall, functionNature } from './function-natures.ts';
import type { Predicates, Relation, Step } from './relation.ts';

/** Returns the relation of a selector, or of its inverse `^( ... )`. */
export function relationOf(selector: ast.Selector, inverted: boolean): Relation {
  switch (selector.kind) {
    case 'self':
      return { kind: 'self' };
    case 'property':
    case 'wildcard':
    case 'sub-property':
      return stepOf(selector, inverted);
    case 'constant':
      return { kind: 'constant', term: selector.term };
    case 'path':
      return {
        kind: 'sequence',
        parts: pathSteps(selector, inverted).map((step) => relationOf(step, inverted)),
      };
    case 'union':
      return { kind: 'either', parts: selector.operands.map((operand) => relationOf(operand, inverted)) };
    case 'intersection':
      return intersectionOf(selector.operands.map((operand) => relationOf(operand, inverted)));
    case 'group':
    case 'filtered':
      return relationOf(selector.selector, inverted);
    case 'inverted':
      return relationOf(selector.selector, !inverted);
    case 'closure':
      return repeatOf(selector, Number.POSITIVE_INFINITY, inverted);
    case 'bounded':
      return repeatOf(selector, selector.max, inverted);
    case 'call':
      return functionNature(selector.name).relation(functionCallOf(selector));
  }
}

export function functionCallOf({ name, arguments: args, start }: ast.Call): FunctionCall {
  return { name, args: args.map((argument) => relationOf(argument, false)), start };
}

/** Returns the steps in the order in which they are taken. */
export function pathSteps(path: ast.Path, inverted: boolean): readonly ast.Selector[] {
  return inverted ? path.steps.toReversed() : path.steps;
}

/** The steps without parts, which look up triples. */
export function stepOf(selector: ast.Property | ast.Wildcard | ast.SubProperty, inverted: boolean): Step {
  return {
    kind: 'step',
    predicates: predicatesOf(selector),
    forward: selector.inverse === inverted,
    fromLiterals: inverted,
  };
}

/**
 * The exceptions of a wildcard are left out: the engine looks at their triples as well, and a limit
 * may end that.
 */
function predicatesOf(selector: ast.Property | ast.Wildcard | ast.SubProperty): Predicates {
  switch (selector.kind) {
    case 'property':
      return { kind: 'one', iri: selector.iri };
    case 'sub-property':
      return { kind: 'below', iri: selector.iri };
    case 'wildcard':
      return { kind: 'any' };
  }
}

/** A node that all operands select: the way back through any one of them suffices. */
function intersectionOf(operands: readonly Relation[]): Relation {
  return operands.find((operand) => !someRelation(operand, isHardToTrace)) ?? operands[0]!;
}

function isHardToTrace({ kind }: Relation): boolean {
  return kind === 'untraceable' || kind === 'constant';
}

/** The way back through a repeated wildcard leads nearly everywhere. */
export function repeatOf(selector: ast.Closure | ast.Bounded, most: number, inverted: boolean): Relation {
  const part = relationOf(selector.selector, inverted);
  if (most === Number.POSITIVE_INFINITY && someRelation(part, isWildcard)) {
    return { kind: 'untraceable', by: 'a repeated *', onlyLiterals: false, at: selector.start };
  }
  return { kind: 'repeat', part, most };
}

function isWildcard(relation: Relation): boolean {
  return relation.kind === 'step' && relation.predicates.kind === 'any';
}

function someRelation(relation: Relation, holds: (relation: Relation) => boolean): boolean {
  if (holds(relation)) return true;
  switch (relation.kind) {
    case 'sequence':
    case 'either':
      return relation.parts.some((part) => someRelation(part, holds));
    case 'repeat':
      return someRelation(relation.part, holds);
    default:
      return false;
  }
}
