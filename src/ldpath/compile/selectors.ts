import { selectorFunctions } from '../functions/catalog.ts';
import type * as ast from '../syntax/ast.ts';
import { checkArity } from './arity.ts';
import type { CompiledSelector, CompileScope } from './compiled-program.ts';
import { compileBounded, compileClosure } from './repetition.ts';
import { compileCall, compileFilter, compileIntersection, compilePathOf, compileUnion } from './sets.ts';
import {
  compileConstant,
  compileProperty,
  compileSelf,
  compileSubProperty,
  compileWildcard,
  type Direction,
} from './steps.ts';

export function compileSelector(selector: ast.Selector, scope: CompileScope): CompiledSelector {
  switch (selector.kind) {
    case 'constant':
      return compileConstant(selector, scope);
    case 'filtered':
      return compileFiltered(selector, scope);
    case 'inverted':
      return scope.inverse(selector.selector);
    case 'call':
      return compileFunctionCall(selector, scope);
    case 'self':
    case 'property':
    case 'wildcard':
    case 'sub-property':
      return compileStep(selector, directionOf(selector), scope);
    case 'path':
      return compilePathOf(selector.steps.map((step) => scope.selector(step)));
    default:
      return compileComposite(selector, (part) => scope.selector(part), scope);
  }
}

/**
 * `^( ... )`: paths run backwards; the inversion of all other selectors distributes over their
 * parts (ldpath 8.2).
 */
export function compileInverse(selector: ast.Selector, scope: CompileScope): CompiledSelector {
  switch (selector.kind) {
    case 'inverted':
      return scope.selector(selector.selector);
    case 'self':
    case 'property':
    case 'wildcard':
    case 'sub-property':
      return compileStep(
        selector,
        directionOf(selector) === 'forward' ? 'backward-from-any' : 'forward',
        scope,
      );
    case 'path':
      return compilePathOf(selector.steps.map((step) => scope.inverse(step)).reverse());
    case 'constant':
    case 'filtered':
    case 'call':
      throw new TypeError(`A ${selector.kind} selector has no inverse`);
    default:
      return compileComposite(selector, (part) => scope.inverse(part), scope);
  }
}

type Step = ast.Self | ast.Property | ast.Wildcard | ast.SubProperty;

function directionOf(step: Step): Direction {
  return step.kind !== 'self' && step.inverse ? 'backward' : 'forward';
}

function compileStep(step: Step, direction: Direction, scope: CompileScope): CompiledSelector {
  switch (step.kind) {
    case 'self':
      return compileSelf();
    case 'property':
      return compileProperty(step, direction, scope);
    case 'wildcard':
      return compileWildcard(step, direction, scope);
    case 'sub-property':
      return compileSubProperty(step, direction, scope);
  }
}

function compileComposite(
  selector: ast.Union | ast.Intersection | ast.Group | ast.Closure | ast.Bounded,
  compile: (part: ast.Selector) => CompiledSelector,
  scope: CompileScope,
): CompiledSelector {
  switch (selector.kind) {
    case 'union':
      return compileUnion(selector.operands.map(compile));
    case 'intersection':
      return compileIntersection(selector.operands.map(compile));
    case 'group':
      return compile(selector.selector);
    case 'closure':
      return compileClosure(compile(selector.selector), selector.reflexive, scope.site(selector));
    case 'bounded':
      return compileBounded(compile(selector.selector), selector.min, selector.max, scope.site(selector));
  }
}

function compileFiltered(selector: ast.Filtered, scope: CompileScope): CompiledSelector {
  const tests = selector.tests.map((test) => scope.test(test));
  return compileFilter(scope.selector(selector.selector), tests, scope.site(selector));
}

function compileFunctionCall(call: ast.Call, scope: CompileScope): CompiledSelector {
  const site = scope.site(call);
  const called = selectorFunctions.get(call.name)!;
  checkArity(called, call.arguments.length, site);
  const operands = call.arguments.map((argument) => scope.selector(argument));
  return compileCall(called, operands, site);
}
