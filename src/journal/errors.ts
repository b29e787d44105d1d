/** The journal's operating faults. The codes are among those of the server's catalogue. */
export type JournalErrorCode =
  /** The journal cannot be read as it is; nothing was changed. */
  | 'data-damaged'
  /** Another process has the data directory. */
  | 'data-locked'
  /** A write failed, or the journal is closed: it takes no more until it is opened again. */
  | 'writes-disabled'
  /** A payload is bigger than a record may be; nothing was written. */
  | 'too-large';

/** Why writes are off. */
export type WriteFault =
  | 'no-space'
  | 'write-failed'
  | 'sync-failed'
  | 'taken-over'
  | 'owner-unknown'
  | 'closed';

/** Plain data, fit to cross a thread border. */
export interface JournalErrorDetails {
  readonly file?: string;
  /** Byte offset in the file. */
  readonly offset?: number;
  /** Sequence number of the first record that cannot be had. */
  readonly sequence?: number;
  /** The row of the recovery table. */
  readonly case?: string;
  readonly fault?: WriteFault;
  /** The process that holds the lock. */
  readonly pid?: number;
  readonly host?: string;
  /** When the lock was taken, ISO 8601. */
  readonly since?: string;
}

/** An operating fault of the journal. */
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

const faultReasons: Record<WriteFault, string> = {
  'no-space': 'the disk is full',
  'write-failed': 'a write to the journal failed',
  'sync-failed': 'a sync of the journal failed',
  'taken-over': 'another process has taken over the data directory',
  'owner-unknown': 'whether the data directory is still held by this process could not be found out',
  closed: 'the journal is closed',
};

/** The error of all writes from a fault on. */
export function writesDisabled(fault: WriteFault, cause: unknown): JournalError {
  const particulars = cause instanceof Error ? ` (${withoutPath(cause.message)})` : '';
  const message = `Writes are off until a restart: ${faultReasons[fault]}${particulars}`;
  return new JournalError('writes-disabled', message, { fault }, cause);
}

/** Whether an error, or what crossed a thread border of one, says that the directory was lost. */
export function isTakenOver({ details }: { readonly details: object }): boolean {
  return 'fault' in details && details.fault === 'taken-over';
}

/** Whether a system error says that a disk, or a share of it, is full. */
export function isNoSpace(error: unknown): boolean {
  const code = (error as { code?: unknown } | undefined)?.code;
  return code === 'ENOSPC' || code === 'EDQUOT';
}

/** What a system error says before the path that it ends with, which clients are not told. */
function withoutPath(message: string): string {
  return message.replace(/ '.*$/s, '');
}
