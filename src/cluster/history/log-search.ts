import type { StoredMsg } from '@nats-io/jetstream';
import { JournalError } from '../../journal/errors.ts';
import { isForeign, type PartHead, readPart } from '../nats/parts.ts';
import type { StoredMessages } from '../nats/stored-messages.ts';

/** How long a request is repeated that gets no answer. */
export const SEARCH_PATIENCE_MS = 5000;

/** A range of sequence numbers in the stream. */
export interface MessageRange {
  readonly first: number;
  readonly last: number;
}

/** A message that is part of the log. */
export interface PlacedPart {
  /** In the stream. */
  readonly sequence: number;
  readonly head: PartHead;
  /** When the log servers got it, in milliseconds since 1970. */
  readonly time: number;
}

/**
 * Returns the first part of a range that is wanted, if all behind it are, too; undefined if none
 * is. Errors: `unavailable`, `data-damaged`.
 */
export async function firstWanted(
  messages: StoredMessages,
  range: MessageRange,
  isWanted: (part: PlacedPart) => boolean,
): Promise<PlacedPart | undefined> {
  let found: PlacedPart | undefined;
  let { first, last } = range;
  while (first <= last) {
    const middle = Math.floor((first + last) / 2);
    const part = await firstPart(messages, { first: middle, last });
    if (part && !isWanted(part)) {
      first = part.sequence + 1;
    } else {
      found = part ?? found;
      last = middle - 1;
    }
  }
  return found;
}

/**
 * Returns the first part of a range, which may have messages of other programs, too. Errors:
 * `unavailable`, `data-damaged`.
 */
export async function firstPart(
  messages: StoredMessages,
  { first, last }: MessageRange,
): Promise<PlacedPart | undefined> {
  for (let sequence = first; sequence <= last; sequence++) {
    const finding = await messages.find(sequence, placed, SEARCH_PATIENCE_MS);
    if (finding.kind === 'found' && 'head' in finding.value) return finding.value;
    if (finding.kind === 'absent') return undefined;
    if (finding.kind === 'damaged') throw unreadable(sequence, finding.reason);
    if (finding.kind === 'purged') sequence = Math.max(sequence, (await messages.range()).first - 1);
  }
  return undefined;
}

/** One server's word suffices for a message of another program: the result is only a place. */
function placed({ seq, header, data, time }: StoredMsg): PlacedPart | { readonly isForeign: true } | string {
  if (isForeign(header)) return { isForeign: true };
  const part = readPart(header, data);
  return typeof part === 'object' ? { sequence: seq, head: part.head, time: time.getTime() } : part;
}

/** The error of a message that no log server has as it was written. */
export function unreadable(sequence: number, reason: string): JournalError {
  return new JournalError('data-damaged', `Message ${sequence} of the shared log can't be read: ${reason}`);
}
