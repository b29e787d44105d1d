import { AppError, fromErrorData, type Result } from '../../errors.ts';
import { correctedQuery } from '../language/corrections/correct.ts';
import { misreadName, withWholeNames } from '../language/whole-names.ts';

/** The format in which Oxigraph is asked for tables. */
export const TABLE = 'text/tab-separated-values';

/** Asks Oxigraph something; its errors are those of the catalogue. */
export type Ask = (text: string, format: string) => string;

/** A query as Oxigraph is asked it. */
export interface Asked {
  readonly text: string;
  /** Relative IRIs of the text are resolved against it. */
  readonly baseIri: string;
  readonly format: string;
}

/**
 * The answer to a query, in a form of its text for which Oxigraph gives the right one. Errors of
 * syntax are those of the text as it was written, with its lines and columns.
 */
export function answerCorrected({ text, baseIri, format }: Asked, ask: Ask): string {
  const { text: whole, first } = unwrapped(withWholeNames(text, baseIri));
  try {
    return ask(unwrapped(correctedQuery(whole, (asked) => ask(asked, TABLE))), format);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'parse-error') throw error;
    const answer = ask(text, format);
    if (first) throw fromErrorData(misreadName(text, first));
    return answer;
  }
}

export function unwrapped<T>(result: Result<T>): T {
  if (!result.ok) throw fromErrorData(result.error);
  return result.value;
}
