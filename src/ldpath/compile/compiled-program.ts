import type { TermId } from '../../rdf/model/term-id.ts';
import type { EvaluationContext, Site } from '../evaluate/context.ts';
import type { Selector, Span, Test } from '../syntax/ast.ts';

/** Appends the terms selected from `node` to `context.stack`, in order (ldpath 3.3). */
export type Select = (context: EvaluationContext, node: TermId) => void;

/**
 * Appends what `Select` would append for each of the nodes in `context.stack[from .. to)` in turn.
 */
export type SelectEach = (context: EvaluationContext, from: number, to: number) => void;

/** Whether a test accepts the candidate (ldpath 3.5). Leaves the stack as it was. */
export type Accept = (context: EvaluationContext, candidate: TermId) => boolean;

export interface CompiledSelector {
  readonly select: Select;
  /** For many nodes at once, where that is faster. */
  readonly selectEach?: SelectEach;
  /** True if no term is ever selected twice; only function calls may repeat terms (ldpath 3.2). */
  readonly distinct: boolean;
}

/** The parts of the compiler that the compilation of one construct uses. */
export interface CompileScope {
  selector(selector: Selector): CompiledSelector;
  /** The inverted selector, which can start from literals: `^( ... )`. */
  inverse(selector: Selector): CompiledSelector;
  test(test: Test): Accept;
  /** Returns the slot of a term, in canonical N-Triples, in `context.constants`. */
  constant(text: string): number;
  site(span: Span): Site;
}
