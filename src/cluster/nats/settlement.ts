import { setTimeout as sleep } from 'node:timers/promises';
import type { StoredMsg } from '@nats-io/jetstream';
import type { AppendOutcome } from '../../journal/commit-log.ts';
import { JournalError, type JournalErrorDetails, writesDisabled } from '../../journal/errors.ts';
import { type Part, readNextPart } from './parts.ts';
import { unavailable } from './patience.ts';
import type { Publisher } from './publisher.ts';
import type { Finding, StoredMessages } from './stored-messages.ts';

const PAUSE_MS = 50;
/**
 * How long a log may seem to end before messages that it has acknowledged: longer than elections.
 */
export const REGRESSION_MS = 60_000;

interface SettlementParts {
  readonly publisher: Pick<Publisher, 'attempt'>;
  readonly messages: Pick<StoredMessages, 'find' | 'range'>;
  readonly isClosed: () => boolean;
  /** Is told when the outcome is in doubt. */
  readonly onDoubt: () => void;
}

/** Where a group is to be written: behind the message with this sequence number and hash. */
interface Place {
  readonly sequence: number;
  readonly hash: string;
}

/**
 * Writes the parts of a group behind a message, or not at all, and finds out which.
 *
 * The message behind the expected one decides: once there is one, no other can take its place. So
 * an attempt that got no answer is repeated until one is stored, or refused because of a message
 * that is there, ours or another. The copies of a repeated attempt exclude each other, by the
 * expected sequence number.
 *
 * Errors: `unavailable`: nothing was written. `writes-disabled`: the outcome can't be known.
 */
export async function settle(
  { publisher, messages, isClosed, onDoubt }: SettlementParts,
  parts: readonly Part[],
  place: Place,
): Promise<AppendOutcome> {
  const began = performance.now();
  for (let isFirst = true; ; isFirst = false) {
    const attempt = await publisher.attempt(parts, place.sequence);
    if (attempt.kind === 'stored') return 'committed';
    if (attempt.kind === 'refused' && isFirst) throw unavailable(new Error(attempt.reason));
    if (isClosed()) throw writesDisabled('closed', undefined);
    const isDecided = attempt.kind === 'overtaken';
    const outcome = isDecided ? await decide(messages, parts[0]!, place) : undefined;
    if (outcome !== undefined) return outcome;
    onDoubt();
    if (performance.now() - began > REGRESSION_MS) await requireEnd(messages, place);
    await sleep(PAUSE_MS);
  }
}

/**
 * Reads the outcome from the message behind the place. Undefined as long as the servers have no
 * such message, or can't be asked.
 */
async function decide(
  messages: SettlementParts['messages'],
  { head }: Part,
  { sequence, hash }: Place,
): Promise<AppendOutcome | undefined> {
  const finding = await findOrUndefined(messages, sequence + 1, hash);
  if (finding === undefined || finding.kind === 'absent') return undefined;
  if (finding.kind === 'foreign') return 'conflict';
  if (finding.kind === 'found') return finding.value.head.id === head.id ? 'committed' : 'conflict';
  if (finding.kind === 'damaged') throw unknowable(finding.reason);
  throw unknowable('checkpoints of other processes cover its place in the log', { case: 'purged' });
}

/**
 * Whatever the error is, an earlier attempt may have been carried out: it would be wrong to report
 * the error as the outcome.
 */
async function findOrUndefined(
  messages: SettlementParts['messages'],
  sequence: number,
  previous: string,
): Promise<Finding<Part> | undefined> {
  const accept = ({ header, data }: StoredMsg) => readNextPart(header, data, previous);
  return messages.find(sequence, accept, 0).catch(() => undefined);
}

/** Throws if the log ends before the place: it has lost what it had acknowledged. */
async function requireEnd(messages: SettlementParts['messages'], { sequence }: Place): Promise<void> {
  const range = await messages.range(0).catch(() => undefined);
  if (range && range.last < sequence) {
    throw unknowable(`the log ends at message ${range.last}, but had acknowledged message ${sequence}`);
  }
}

function unknowable(reason: string, details: JournalErrorDetails = {}): JournalError {
  const message = `Writes are disabled until a restart: the outcome of a write to the shared log can't be known, because ${reason}`;
  return new JournalError('writes-disabled', message, details);
}
