import type { TermId } from '../../rdf/model/term-id.ts';
import type { EvaluationContext } from '../evaluate/context.ts';
import type { ResultWriter } from '../evaluate/result-writer.ts';

/**
 * Writes the results of one program or path in one format: a document for each start resource. The
 * caller calls `begin`, then `field` for each field in order, then `end`.
 */
export interface ResultShape {
  readonly frame: Frame;
  /** Whether a start resource that `@filter` rejects has no document among several. */
  readonly omitsRejected: boolean;
  begin(context: EvaluationContext, start: TermId, out: ResultWriter): void;
  /** Appends the values of a field: those on the stack from `bottom` on, not yet converted. */
  field(context: EvaluationContext, index: number, bottom: number, out: ResultWriter): void;
  end(directives: Directives, out: ResultWriter): void;
}

/** The values of `@filter` and `@boost`, if the program has them. */
export interface Directives {
  readonly filter: boolean | undefined;
  readonly boost: number | undefined;
}

/** What surrounds the documents of a response. */
export interface Frame {
  readonly head: string;
  readonly tail: string;
  /** Number of bytes by which the first document is shorter: it has no comma before it. */
  readonly lead: number;
}

export const noFrame: Frame = { head: '', tail: '', lead: 0 };
