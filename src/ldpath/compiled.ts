import type { TermId } from '../graph/term-id.ts';
import type { Selector, Span, Test } from './ast.ts';
import type { EvaluationContext, Site } from './context.ts';

/** Appends to `context.stack` what is selected from `node`, in order (ldpath 3.3). */
export type Select = (context: EvaluationContext, node: TermId) => void;

/** Appends what `Select` would for one after another of the nodes that stand in `context.stack[from .. to)`. */
export type SelectEach = (context: EvaluationContext, from: number, to: number) => void;

/** Whether a test accepts the candidate (ldpath 3.5). Leaves the stack as it was. */
export type Accept = (context: EvaluationContext, candidate: TermId) => boolean;

export interface CompiledSelector {
  readonly select: Select;
  /** For many nodes together, where that is quicker. */
  readonly selectEach?: SelectEach;
  /** True when nothing is ever selected twice; only function calls may repeat (ldpath 3.2). */
  readonly distinct: boolean;
}

/** What the compilation of one construct needs of the rest of the compiler. */
export interface CompileScope {
  selector(selector: Selector): CompiledSelector;
  /** The selector turned round, able to start from literals: `^( ... )`. */
  inverse(selector: Selector): CompiledSelector;
  test(test: Test): Accept;
  /** The slot of a term, canonical N-Triples, in `context.constants`. */
  constant(text: string): number;
  site(span: Span): Site;
}
