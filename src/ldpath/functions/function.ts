import type { TermId } from '../../rdf/model/term-id.ts';
import type { EvaluationContext } from '../evaluate/context.ts';

interface Described {
  /** Local name in the `fn` namespace. */
  readonly name: string;
  /** How to call it, for readers: `fn:concat(nodes : NodeList) : String`. */
  readonly signature: string;
  /** One sentence. */
  readonly description: string;
  readonly minArguments: number;
  readonly maxArguments: number;
}

/** One list per written argument, in order; see ldpath 5.1. */
export type Arguments = readonly (readonly TermId[])[];

/** A function that selects terms. */
export interface SelectorFunction extends Described {
  readonly kind: 'selector';
  /**
   * Appends the selected terms to `into`. `node` is the node at which the call is evaluated.
   * Unsuitable values are skipped with `context.warn`; they are never an error (http-api P-7).
   */
  readonly evaluate: (context: EvaluationContext, args: Arguments, node: TermId, into: TermId[]) => void;
}

/** A function that accepts or rejects `node`, the candidate of a test. */
export interface TestFunction extends Described {
  readonly kind: 'test';
  readonly accepts: (context: EvaluationContext, args: Arguments, node: TermId) => boolean;
}

export type LdPathFunction = SelectorFunction | TestFunction;
