import { AppError } from '../../errors.ts';

/** The error of a transaction that was cancelled on request. */
export function cancelled(): AppError {
  return new AppError('cancelled', 'The task was cancelled. Nothing of it was stored.');
}
