/** The codes of the journal's errors, which are part of the server's catalogue. */
export type JournalErrorCode =
  /** The journal can't be read; nothing was changed. */
  | 'data-damaged'
  /** Another process has locked the data directory. */
  | 'data-locked'
  /**
   * A write failed, or the journal is closed: it accepts no more records until it is opened again.
   */
  | 'writes-disabled'
  /** A shared log can't be reached now. Nothing was written; a later attempt may succeed. */
  | 'unavailable'
  /** A payload is larger than the limit for a record; nothing was written. */
  | 'too-large';

/** Why writes are disabled. */
export type WriteFailure =
  | 'no-space'
  | 'write-failed'
  | 'sync-failed'
  | 'taken-over'
  | 'owner-unknown'
  | 'closed';

/** Plain data, so it can be sent between threads. */
export interface JournalErrorDetails {
  readonly file?: string;
  /** Byte offset in the file. */
  readonly offset?: number;
  /** Sequence number of the first record that can't be read. */
  readonly sequence?: number;
  /** The row of the recovery table. */
  readonly case?: string;
  readonly failure?: WriteFailure;
  /** The process that holds the lock. */
  readonly pid?: number;
  readonly host?: string;
  /** When the lock was acquired, ISO 8601. */
  readonly since?: string;
}

/** An error of the journal. */
export class JournalError extends Error {
  override readonly name = 'JournalError';
  readonly code: JournalErrorCode;
  readonly details: JournalErrorDetails;

  constructor(code: JournalErrorCode, message: string, details: JournalErrorDetails = {}, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.details = details;
  }
}

const failureReasons: Record<WriteFailure, string> = {
  'no-space': 'the disk is full',
  'write-failed': 'a write to the journal failed',
  'sync-failed': 'a sync of the journal failed',
  'taken-over': 'another process has taken over the data directory',
  'owner-unknown': 'it could not be verified that this process still owns the data directory',
  closed: 'the journal is closed',
};

/** Returns the error of all writes after a failure. */
export function writesDisabled(failure: WriteFailure, cause: unknown): JournalError {
  const particulars = cause instanceof Error ? ` (${withoutPath(cause.message)})` : '';
  const message = `Writes are disabled until a restart: ${failureReasons[failure]}${particulars}`;
  return new JournalError('writes-disabled', message, { failure }, cause);
}

/** Whether an error says that the log has removed a record, because newer checkpoints cover it. */
export function wasPurged(error: unknown): boolean {
  return error instanceof JournalError && error.details.case === 'purged';
}

/** Whether an error, or its copy from another thread, says that the directory was taken over. */
export function isTakenOver({ details }: { readonly details: object }): boolean {
  return 'failure' in details && details.failure === 'taken-over';
}

/** Whether a system error says that a disk, or its quota, is full. */
export function isNoSpace(error: unknown): boolean {
  const code = (error as { code?: unknown } | undefined)?.code;
  return code === 'ENOSPC' || code === 'EDQUOT';
}

/** Removes the path at the end of a system error, which clients must not see. */
function withoutPath(message: string): string {
  return message.replace(/ '.*$/s, '');
}
