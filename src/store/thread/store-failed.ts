import { AppError, toErrorData } from '../../errors.ts';

/** The error of all writes after an internal error that leaves the state of the store unknown. */
export function storeFailed(cause: unknown): AppError {
  const message = `The store has failed (${toErrorData(cause).message}): writes are disabled until a restart.`;
  return new AppError('writes-disabled', message, {}, cause);
}
