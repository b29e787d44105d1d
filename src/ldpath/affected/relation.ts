/**
 * What a selector selects, as far as it matters for finding the way back from a selected node to
 * the nodes at which the selector was evaluated. A relation may lead back to more nodes than a
 * selector needs: tests are left out.
 */

import type * as ast from '../syntax/ast.ts';
import { functionNature } from './function-natures.ts';

/** Which predicates a step follows. */
export type Predicates =
  | { readonly kind: 'any' }
  | { readonly kind: 'one'; readonly iri: string }
  /** The property and its declared sub-properties. */
  | { readonly kind: 'below'; readonly iri: string }
  /** `rdf:_1`, `rdf:_2`, ... */
  | { readonly kind: 'members' };

export interface Step {
  readonly kind: 'step';
  readonly predicates: Predicates;
  /** From subjects to objects. */
  readonly forward: boolean;
  /** Whether a backward step starts from literals too (Q-E3). */
  readonly fromLiterals: boolean;
}

/** Terms that have no way back, such as those that a function makes. */
export interface Untraceable {
  readonly kind: 'untraceable';
  /** What selects them, for people. */
  readonly by: string;
  readonly onlyLiterals: boolean;
  /** Offset in the source. */
  readonly at: number;
}

export type Relation =
  | { readonly kind: 'self' }
  | { readonly kind: 'nothing' }
  | Step
  /** Leads from every node to one literal, in canonical N-Triples. */
  | { readonly kind: 'constant'; readonly term: string }
  | { readonly kind: 'sequence'; readonly parts: readonly Relation[] }
  | { readonly kind: 'either'; readonly parts: readonly Relation[] }
  /** From none to `most` times. */
  | { readonly kind: 'repeat'; readonly part: Relation; readonly most: number }
  | Untraceable;

export function forwardStep(iri: string): Step {
  return { kind: 'step', predicates: { kind: 'one', iri }, forward: true, fromLiterals: false };
}

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
      return functionNature(selector.name).relation(selector);
  }
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
