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
  const repetition = new Repetition(selector.select, site);
  return {
    distinct: true,
    select: (context, node) => {
      const seen = context.borrowSeen();
      const work: TermId[] = [];
      if (reflexive) push(context, work, node);
      else repetition.expand(context, node, work);
      repetition.drain(context, work, seen);
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
  const repetition = new Repetition(selector.select, site);
  const unbounded = max === Number.POSITIVE_INFINITY;
  return {
    distinct: true,
    select: (context, node) => {
      const { held } = context;
      let level: TermId[] = [node];
      for (let depth = 0; depth < min && level.length > 0; depth++)
        level = repetition.nextLevel(context, level);
      const seen = context.borrowSeen();
      pushNew(context, level, seen);
      if (unbounded) repetition.drainFrom(context, level, seen);
      for (let depth = min; !unbounded && depth < max && level.length > 0; depth++) {
        level = repetition.nextLevel(context, level);
        pushNew(context, level, seen);
      }
      context.returnSeen();
      context.held = held;
    },
  };
}

/** Repeats one selector. */
class Repetition {
  readonly #select: Select;
  readonly #site: Site;

  constructor(select: Select, site: Site) {
    this.#select = select;
    this.#site = site;
  }

  /**
   * Pops until the work list is empty; new ids go to the stack, and their successors to the work
   * list.
   */
  drain(context: EvaluationContext, work: TermId[], seen: SeenSet): void {
    for (let id = work.pop(); id !== undefined; id = work.pop()) {
      context.held--;
      if (!seen.add(id)) continue;
      context.stack.push(id);
      context.step(this.#site);
      this.expand(context, id, work);
    }
  }

  /** Expands the members of the level, which have already been selected. */
  drainFrom(context: EvaluationContext, level: readonly TermId[], seen: SeenSet): void {
    const work: TermId[] = [];
    for (const id of level) {
      this.expand(context, id, work);
      this.drain(context, work, seen);
    }
  }

  /** Pushes the successors in reverse, so that the first is popped first. */
  expand(context: EvaluationContext, node: TermId, work: TermId[]): void {
    const { stack } = context;
    const start = stack.length;
    this.#select(context, node);
    for (let i = stack.length - 1; i >= start; i--) push(context, work, stack[i]!);
    context.cut(start);
  }

  /** Returns the distinct successors of the level. */
  nextLevel(context: EvaluationContext, level: readonly TermId[]): TermId[] {
    const { stack } = context;
    const start = stack.length;
    for (const id of level) {
      context.step(this.#site);
      this.#select(context, id);
    }
    context.moveDownDistinct(start, start);
    const next = stack.slice(start);
    context.cut(start);
    context.held += next.length - level.length;
    return next;
  }
}

function push(context: EvaluationContext, work: TermId[], id: TermId): void {
  work.push(id);
  context.held++;
}

function pushNew(context: EvaluationContext, ids: readonly TermId[], seen: SeenSet): void {
  for (const id of ids) if (seen.add(id)) context.stack.push(id);
}
