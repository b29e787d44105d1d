/**
 * `+`, `*`, `?` and `{m,n}`: with work lists instead of recursion, since the data determine the
 * depth (ldpath 3.4, 8.2).
 */
import type { TermId } from '../../rdf/model/term-id.ts';
import type { EvaluationContext, Site } from '../evaluate/context.ts';
import type { SeenSet } from '../evaluate/seen-set.ts';
import type { CompiledSelector, Select } from './compiled-program.ts';

/** `s+`, and `s*` if reflexive: depth first, a node before its successors. */
export function compileClosure(selector: CompiledSelector, reflexive: boolean, site: Site): CompiledSelector {
  return {
    distinct: true,
    select: (context, node) => {
      const seen = context.borrowSeen();
      const work: TermId[] = [];
      if (reflexive) push(context, work, node);
      else expand(context, selector.select, node, work);
      drain(context, selector.select, work, seen, site);
      context.returnSeen();
    },
  };
}

/**
 * `s{min,max}` level by level; without an upper bound, followed by everything reachable from the
 * last level.
 */
export function compileBounded(
  selector: CompiledSelector,
  min: number,
  max: number,
  site: Site,
): CompiledSelector {
  const unbounded = max === Number.POSITIVE_INFINITY;
  return {
    distinct: true,
    select: (context, node) => {
      const { held } = context;
      let level: TermId[] = [node];
      for (let depth = 0; depth < min && level.length > 0; depth++)
        level = nextLevel(context, selector, level, site);
      const seen = context.borrowSeen();
      pushNew(context, level, seen);
      if (unbounded) drainFrom(context, selector, level, seen, site);
      for (let depth = min; !unbounded && depth < max && level.length > 0; depth++) {
        level = nextLevel(context, selector, level, site);
        pushNew(context, level, seen);
      }
      context.returnSeen();
      context.held = held;
    },
  };
}

/**
 * Pops until the work list is empty; new ids go to the stack, and their successors to the work
 * list.
 */
function drain(context: EvaluationContext, select: Select, work: TermId[], seen: SeenSet, site: Site): void {
  for (let id = work.pop(); id !== undefined; id = work.pop()) {
    context.held--;
    if (!seen.add(id)) continue;
    context.stack.push(id);
    context.step(site);
    expand(context, select, id, work);
  }
}

/** Pushes the successors in reverse, so that the first is popped first. */
function expand(context: EvaluationContext, select: Select, node: TermId, work: TermId[]): void {
  const { stack } = context;
  const start = stack.length;
  select(context, node);
  for (let i = stack.length - 1; i >= start; i--) push(context, work, stack[i]!);
  context.cut(start);
}

function push(context: EvaluationContext, work: TermId[], id: TermId): void {
  work.push(id);
  context.held++;
}

function nextLevel(
  context: EvaluationContext,
  selector: CompiledSelector,
  level: TermId[],
  site: Site,
): TermId[] {
  const { stack } = context;
  const start = stack.length;
  for (const id of level) {
    context.step(site);
    selector.select(context, id);
  }
  context.moveDownDistinct(start, start);
  const next = stack.slice(start);
  context.cut(start);
  context.held += next.length - level.length;
  return next;
}

function pushNew(context: EvaluationContext, ids: readonly TermId[], seen: SeenSet): void {
  for (const id of ids) if (seen.add(id)) context.stack.push(id);
}

/** Expands the members of the level, which have already been selected. */
function drainFrom(
  context: EvaluationContext,
  selector: CompiledSelector,
  level: readonly TermId[],
  seen: SeenSet,
  site: Site,
): void {
  const work: TermId[] = [];
  for (const id of level) {
    expand(context, selector.select, id, work);
    drain(context, selector.select, work, seen, site);
  }
}
