/**
 * What recovery can find, and what it does about it. `truncate` cuts the file after the last good
 * record and continues. `fail` changes nothing and fails with a message for the operator.
 * `--recover` overrides the rows marked `recoverable`: it keeps all records before the damage and
 * moves the rest aside.
 */
export type RecoveryOutcome = 'start' | 'replay' | 'skip' | 'truncate' | 'fail';

export interface RecoveryRow {
  readonly label: string;
  readonly outcome: RecoveryOutcome;
  readonly recoverable: boolean;
  readonly reason: string;
}

/** The actions, by what recovery finds. */
export const recoveryTable = {
  empty: {
    label: 'no journal file, or one without records',
    outcome: 'start',
    recoverable: false,
    reason: 'Nothing was written since the checkpoint.',
  },
  clean: {
    label: 'every record is good and the numbers are contiguous',
    outcome: 'replay',
    recoverable: false,
    reason: 'All acknowledged data is present.',
  },
  overlap: {
    label: 'records that the checkpoint covers',
    outcome: 'skip',
    recoverable: false,
    reason:
      'The process ended between writing the checkpoint and removing the journal files that it replaces.',
  },
  'cut-tail': {
    label: 'the newest file ends within a record',
    outcome: 'truncate',
    recoverable: false,
    reason:
      'Most likely the process or the machine stopped during this write, before it was acknowledged. Damage to an ' +
      'acknowledged write at the end of the journal looks the same.',
  },
  'torn-tail': {
    label: 'the last write of the newest file is incomplete',
    outcome: 'truncate',
    recoverable: false,
    reason:
      'Most likely the machine stopped before this write was synced and acknowledged. Damage to an acknowledged ' +
      'write at the end of the journal looks the same.',
  },
  'damaged-middle': {
    label: 'a bad record with a later write after it',
    outcome: 'fail',
    recoverable: true,
    reason: 'A later write begins only when the earlier one is on disk, so acknowledged data was damaged.',
  },
  'damaged-end': {
    label: 'the newest file is not as it was left by a clean close or a backup',
    outcome: 'fail',
    recoverable: true,
    reason: 'All of it was acknowledged, so acknowledged data was damaged.',
  },
  'damaged-header': {
    label: 'a file whose header is bad or names another sequence number',
    outcome: 'fail',
    recoverable: true,
    reason: 'A file gets its name only when its header is on disk, so the header was damaged afterwards.',
  },
  gap: {
    label: 'sequence numbers are missing or repeated',
    outcome: 'fail',
    recoverable: true,
    reason: 'A file with acknowledged data is missing, or belongs to another data directory.',
  },
  missing: {
    label: 'the newest journal file is missing',
    outcome: 'fail',
    recoverable: true,
    reason: 'It existed before, so it was removed or lost, and acknowledged commits with it.',
  },
  'damaged-seal': {
    label: 'a seal (journal.seal) that does not match its own digest',
    outcome: 'skip',
    recoverable: false,
    reason: 'It is ignored: damage at the end of the journal would be mistaken for an interrupted write.',
  },
  foreign: {
    label: 'not a journal, or one of an unknown format version',
    outcome: 'fail',
    recoverable: false,
    reason: 'Another program or another release wrote it and can read it.',
  },
} as const satisfies Record<string, RecoveryRow>;

export type RecoveryCase = keyof typeof recoveryTable;
