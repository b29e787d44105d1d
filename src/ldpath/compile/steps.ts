/** Steps along triples, and constants: the selectors without parts. */
import type { TermId } from '../../rdf/model/term-id.ts';
import type { EvaluationContext, Site } from '../evaluate/context.ts';
import type * as ast from '../syntax/ast.ts';
import type { CompiledSelector, CompileScope, Select } from './compiled-program.ts';

/**
 * The direction of a step. Backward steps start from literals only inside `^( ... )` (Q-E3, ldpath
 * 8.2).
 */
export type Direction = 'forward' | 'backward' | 'backward-from-any';

export function compileSelf(): CompiledSelector {
  return { distinct: true, select: (context, node) => void context.stack.push(node) };
}

export function compileConstant(selector: ast.Constant, scope: CompileScope): CompiledSelector {
  const { term } = selector;
  const slot = scope.constant(term);
  return { distinct: true, select: (context) => void context.stack.push(context.constant(slot, term)) };
}

export function compileProperty(
  selector: ast.Property,
  direction: Direction,
  scope: CompileScope,
): CompiledSelector {
  const site = scope.site(selector);
  const slot = scope.constant(`<${selector.iri}>`);
  if (direction === 'forward') {
    return {
      distinct: true,
      select: (context, node) => {
        context.step(site);
        context.graph.objects(node, context.constants[slot]!, context.stack);
      },
      selectEach: (context, from, to) => {
        const { graph, stack } = context;
        const predicate = context.constants[slot]!;
        for (let done = from; done < to; ) {
          const next = graph.objectsOfEach(stack, done, to, predicate);
          context.steps(next - done, site);
          done = next;
        }
      },
    };
  }
  return distinctly(
    unlessLiteral(direction, (context, node) => {
      context.step(site);
      context.graph.subjects(context.constants[slot]!, node, context.stack);
    }),
  );
}

export function compileWildcard(
  selector: ast.Wildcard,
  direction: Direction,
  scope: CompileScope,
): CompiledSelector {
  const site = scope.site(selector);
  if (selector.except.length > 0) return compileExcept(selector, direction, scope);
  if (direction === 'forward') {
    return distinctly((context, node) => {
      context.step(site);
      context.graph.allObjects(node, context.stack);
    });
  }
  return distinctly(
    unlessLiteral(direction, (context, node) => {
      context.step(site);
      context.graph.allSubjects(node, context.stack);
    }),
  );
}

function compileExcept(selector: ast.Wildcard, direction: Direction, scope: CompileScope): CompiledSelector {
  const site = scope.site(selector);
  const slots = selector.except.map((iri) => scope.constant(`<${iri}>`));
  const excluded = (context: EvaluationContext, predicate: TermId) =>
    slots.some((slot) => context.constants[slot] === predicate);
  if (direction === 'forward') {
    return distinctly((context, node) => {
      const { stack, graph } = context;
      context.step(site);
      const start = stack.length;
      graph.predicates(node, stack);
      const middle = stack.length;
      for (let i = start; i < middle; i++) {
        context.step(site);
        if (!excluded(context, stack[i]!)) graph.objects(node, stack[i]!, stack);
      }
      context.moveDownDistinct(start, middle);
      context.sort(start);
    });
  }
  return distinctly(
    unlessLiteral(direction, (context, node) => {
      const { stack, graph } = context;
      context.step(site);
      const start = stack.length;
      graph.allSubjects(node, stack);
      const end = stack.length;
      let to = start;
      for (let i = start; i < end; i++) {
        context.step(site);
        if (hasOther(context, stack[i]!, node, excluded)) stack[to++] = stack[i]!;
      }
      context.cut(to);
    }),
  );
}

/** Whether a triple links subject and object with a predicate that is not excluded. */
function hasOther(
  context: EvaluationContext,
  subject: TermId,
  object: TermId,
  excluded: (context: EvaluationContext, predicate: TermId) => boolean,
): boolean {
  const { stack, graph } = context;
  const start = stack.length;
  graph.predicates(subject, stack);
  let found = false;
  for (let i = start; i < stack.length && !found; i++) {
    found = !excluded(context, stack[i]!) && graph.has(subject, stack[i]!, object);
  }
  context.cut(start);
  return found;
}

const subPropertyOf = '<http://www.w3.org/2000/01/rdf-schema#subPropertyOf>';

/**
 * `~p`: the property and its declared sub-properties, reflexively and transitively (ldpath 8.2).
 */
export function compileSubProperty(
  selector: ast.SubProperty,
  direction: Direction,
  scope: CompileScope,
): CompiledSelector {
  const site = scope.site(selector);
  const slot = scope.constant(`<${selector.iri}>`);
  const subPropertySlot = scope.constant(subPropertyOf);
  const select: Select = (context, node) => {
    const { stack, graph } = context;
    const start = stack.length;
    pushDescendants(context, context.constants[slot]!, context.constants[subPropertySlot]!, site);
    const middle = stack.length;
    for (let i = start; i < middle; i++) {
      context.step(site);
      if (direction === 'forward') graph.objects(node, stack[i]!, stack);
      else graph.subjects(stack[i]!, node, stack);
    }
    context.moveDownDistinct(start, middle);
    context.sort(start);
  };
  return distinctly(direction === 'forward' ? select : unlessLiteral(direction, select));
}

/** Pushes the ancestor and everything that leads to it by the predicate, without duplicates. */
function pushDescendants(context: EvaluationContext, ancestor: TermId, predicate: TermId, site: Site): void {
  const { stack } = context;
  const seen = context.borrowSeen();
  seen.add(ancestor);
  stack.push(ancestor);
  for (let i = stack.length - 1; i < stack.length; i++) {
    context.step(site);
    const end = stack.length;
    context.graph.subjects(predicate, stack[i]!, stack);
    let to = end;
    for (let from = end; from < stack.length; from++) if (seen.add(stack[from]!)) stack[to++] = stack[from]!;
    context.cut(to);
  }
  context.returnSeen();
}

function unlessLiteral(direction: Direction, select: Select): Select {
  if (direction === 'backward-from-any') return select;
  return (context, node) => {
    if (!context.isLiteral(node)) select(context, node);
  };
}

function distinctly(select: Select): CompiledSelector {
  return { select, distinct: true };
}
