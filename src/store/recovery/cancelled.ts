import { type ErrorData, errorData } from '../../errors.ts';

/** The error of a transaction that was cancelled on request. */
export function cancelled(): ErrorData {
  return errorData('cancelled', 'The task was cancelled. Nothing of it was stored.');
}
