import { AppError, fromErrorData, type Result } from '../../errors.ts';
import { correctedQuery } from '../language/corrections/correct.ts';
import { misreadName, withWholeNames } from '../language/whole-names.ts';

/** The format of tables requested from Oxigraph. */
export const TABLE = 'text/tab-separated-values';

/** Evaluates a query with Oxigraph. It throws the server's errors. */
export type Ask = (text: string, format: string) => string;

/** A query to be evaluated by Oxigraph. */
export interface Asked {
  readonly text: string;
  /** The base for relative IRIs in the text. */
  readonly baseIri: string;
  readonly format: string;
}

/**
 * Evaluates a query after rewriting its text so that Oxigraph returns the correct result. Syntax
 * errors refer to the lines and columns of the original text.
 */
export function evaluateCorrected({ text, baseIri, format }: Asked, ask: Ask): string {
  const { text: whole, first } = unwrapped(withWholeNames(text, baseIri));
  try {
    return ask(unwrapped(correctedQuery(whole, (asked) => ask(asked, TABLE))), format);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'parse-error') throw error;
    const result = ask(text, format);
    if (first) throw fromErrorData(misreadName(text, first));
    return result;
  }
}

export function unwrapped<T>(result: Result<T>): T {
  if (!result.ok) throw fromErrorData(result.error);
  return result.value;
}
