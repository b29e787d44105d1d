import { setTimeout as sleep } from 'node:timers/promises';
import { JetStreamApiError, JetStreamError } from '@nats-io/jetstream';
import { errors } from '@nats-io/transport-node';
import { JournalError } from '../../journal/errors.ts';

/** Log servers elect a leader in 4 to 9 seconds; several in turn may be needed. */
const PATIENCE_MS = 30_000;
const PAUSE_MS = 200;

/**
 * Repeats a request, which must be harmless to repeat, while the log servers have no leader or
 * don't answer. Error `unavailable` if that lasts longer than elections do.
 */
export async function persistently<T>(request: () => Promise<T>, patienceMs = PATIENCE_MS): Promise<T> {
  const end = performance.now() + patienceMs;
  for (;;) {
    try {
      return await request();
    } catch (error) {
      if (!isTransient(error)) throw error;
      if (performance.now() > end) throw unavailable(error);
    }
    await sleep(PAUSE_MS);
  }
}

/** Codes of errors that servers answer with while those that have a stream are down. */
const OFFLINE = [10118, 10194];

/** Whether an error says that the log servers can't answer at the moment. */
export function isTransient(error: unknown): boolean {
  if (error instanceof JetStreamApiError) return error.status === 503 || OFFLINE.includes(error.code);
  return (
    error instanceof errors.TimeoutError ||
    error instanceof errors.RequestError ||
    error instanceof errors.ConnectionError ||
    error instanceof JetStreamError ||
    (error instanceof Error && error.name === 'JetStreamNotEnabled')
  );
}

/**
 * Whether an error comes from the log servers, or from the way to them. Waiting may not help, but
 * an operator can: with permissions, credentials, or room.
 */
export function isOfServers(error: unknown): boolean {
  return (
    isTransient(error) ||
    error instanceof JetStreamApiError ||
    error instanceof errors.PermissionViolationError ||
    error instanceof errors.AuthorizationError ||
    error instanceof errors.UserAuthenticationExpiredError
  );
}

/** The transient error of an entry that another process is writing, which nobody sees yet. */
export function unseen(what: string): Error {
  return new JetStreamError(`another process is writing ${what}`);
}

/** The error of a log that can't be reached: nothing was stored, and it heals by itself. */
export function unavailable(cause: unknown): JournalError {
  const reason = cause instanceof Error ? ` (${cause.message})` : '';
  const message = `The log servers can't accept writes at the moment${reason}`;
  return new JournalError('unavailable', message, {}, cause);
}
