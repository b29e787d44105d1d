/**
 * Paths, unions, intersections, filters and calls: selectors that combine the results of others
 * (ldpath 3.3).
 */
import type { TermId } from '../../rdf/model/term-id.ts';
import type { EvaluationContext, Site } from '../evaluate/context.ts';
import type { Arguments, SelectorFunction } from '../functions/function.ts';
import type { Accept, CompiledSelector } from './compiled-program.ts';

/** `a/b/...` */
export function compilePathOf(steps: readonly CompiledSelector[]): CompiledSelector {
  const [first, ...rest] = steps;
  return {
    distinct: true,
    select: (context, node) => {
      const start = context.stack.length;
      first!.select(context, node);
      for (const step of rest) follow(context, start, step);
    },
  };
}

/** Replaces the ids from `start` on by those that the step selects from them. */
function follow(context: EvaluationContext, start: number, step: CompiledSelector): void {
  const { stack } = context;
  const middle = stack.length;
  if (step.selectEach !== undefined) step.selectEach(context, start, middle);
  else for (let i = start; i < middle; i++) step.select(context, stack[i]!);
  if (step.distinct && middle === start + 1) context.moveDown(start, middle);
  else context.moveDownDistinct(start, middle);
}

/** `a | b | ...` */
export function compileUnion(operands: readonly CompiledSelector[]): CompiledSelector {
  return {
    distinct: true,
    select: (context, node) => {
      const start = context.stack.length;
      for (const operand of operands) operand.select(context, node);
      context.moveDownDistinct(start, start);
    },
  };
}

/** `a & b & ...` */
export function compileIntersection(operands: readonly CompiledSelector[]): CompiledSelector {
  const [first, ...rest] = operands;
  return {
    distinct: true,
    select: (context, node) => {
      const start = context.stack.length;
      first!.select(context, node);
      context.moveDownDistinct(start, start);
      for (const operand of rest) {
        const middle = context.stack.length;
        operand.select(context, node);
        keepCommon(context, start, middle);
      }
    },
  };
}

/** Keeps those of the ids from `start` on that also occur from `middle` on. */
function keepCommon(context: EvaluationContext, start: number, middle: number): void {
  const { stack } = context;
  const right = context.borrowSeen();
  for (let i = middle; i < stack.length; i++) right.add(stack[i]!);
  let to = start;
  for (let i = start; i < middle; i++) {
    if (right.has(stack[i]!)) stack[to++] = stack[i]!;
  }
  context.cut(to);
  context.returnSeen();
}

/** `s[t1][t2]...` */
export function compileFilter(
  selector: CompiledSelector,
  tests: readonly Accept[],
  site: Site,
): CompiledSelector {
  return {
    distinct: selector.distinct,
    select: (context, node) => {
      const { stack } = context;
      const start = stack.length;
      selector.select(context, node);
      const end = stack.length;
      let to = start;
      for (let i = start; i < end; i++) {
        context.step(site);
        const candidate = stack[i]!;
        if (acceptedByAll(tests, context, candidate)) stack[to++] = candidate;
      }
      context.cut(to);
    },
  };
}

function acceptedByAll(tests: readonly Accept[], context: EvaluationContext, candidate: TermId): boolean {
  for (let i = 0; i < tests.length; i++) if (!tests[i]!(context, candidate)) return false;
  return true;
}

/** `fn:f(a, ...)` */
export function compileCall(
  called: SelectorFunction,
  operands: readonly CompiledSelector[],
  site: Site,
): CompiledSelector {
  return {
    distinct: false,
    select: (context, node) => {
      const { held } = context;
      const args = evaluateArguments(context, operands, node);
      context.step(site);
      context.callSite = site;
      called.evaluate(context, args, node, context.stack);
      context.held = held;
    },
  };
}

/**
 * Returns one list per argument, outside the stack; the lists count as held until the caller
 * restores the count.
 */
export function evaluateArguments(
  context: EvaluationContext,
  operands: readonly CompiledSelector[],
  node: TermId,
): Arguments {
  const { stack } = context;
  const start = stack.length;
  return operands.map((operand) => {
    operand.select(context, node);
    const list = stack.slice(start);
    context.held += list.length;
    context.cut(start);
    return list;
  });
}
