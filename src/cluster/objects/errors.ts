import { JetStreamApiError } from '@nats-io/jetstream';
import { AppError } from '../../errors.ts';
import { JournalError } from '../../journal/errors.ts';

/** The codes of NATS for: no room on the disk, no memory, the account's or the stream's limit. */
const FULL: ReadonlySet<number> = new Set([10002, 10023, 10028, 10047, 10077, 10120]);

/**
 * Runs an action on the log servers. Their errors become `unavailable`, because the client goes on
 * trying to connect, or `store-full`; other errors are passed on.
 */
export async function storeError<T>(action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    if (error instanceof AppError) throw error;
    if (!(error instanceof JournalError)) throw toStoreError(error);
    throw error.code === 'unavailable' ? toStoreError(error.cause ?? error) : error;
  }
}

function toStoreError(error: unknown): AppError {
  const reason = error instanceof Error ? error.message || error.name : String(error);
  if (error instanceof JetStreamApiError && FULL.has(error.code)) {
    return new AppError('store-full', `The log servers have no room: ${reason}.`, {}, error);
  }
  const message = `The log servers can't be reached or can't answer now: ${reason}.`;
  return new AppError('unavailable', message, { retryAfter: 1 }, error);
}
