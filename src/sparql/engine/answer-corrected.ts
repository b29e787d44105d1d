import { AppError, fromErrorData, type Result } from '../../errors.ts';
import { correctedQuery } from '../language/corrections/correct.ts';

/** The format in which Oxigraph is asked for tables. */
export const TABLE = 'text/tab-separated-values';

/** Asks Oxigraph something; its errors are those of the catalogue. */
export type Ask = (text: string, format: string) => string;

/**
 * The answer to a query, in a form of its text for which Oxigraph gives the right one. Errors of
 * syntax are those of the text as it was written, with its lines and columns.
 */
export function answerCorrected(text: string, format: string, ask: Ask): string {
  try {
    return ask(unwrapped(correctedQuery(text, (asked) => ask(asked, TABLE))), format);
  } catch (error) {
    if (error instanceof AppError && error.code === 'parse-error') return ask(text, format);
    throw error;
  }
}

export function unwrapped<T>(result: Result<T>): T {
  if (!result.ok) throw fromErrorData(result.error);
  return result.value;
}
