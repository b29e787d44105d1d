import { AppError } from '../../errors.ts';
import { exhausted, memoryFor, memoryOf } from '../../snapshot/capacity.ts';
import type { TermList } from '../../snapshot/dictionary/overlay.ts';
import type { SnapshotWriter } from '../../snapshot/write/snapshot-writer.ts';

const MIB = 2 ** 20;
const GIB = 2 ** 30;
const ADVICE = 'Delete what is not needed';

/**
 * Checks that the working state has room for this many more quads, whose terms it already has.
 * Throws `store-full`. Operations that only delete need no check.
 */
export function requireRoom(writer: SnapshotWriter, quads: number, dataMax: number): void {
  const end = exhausted(writer, quads);
  if (end !== undefined) throw storeFull(`${end} ${ADVICE}, or use another server.`);
  const used = memoryOf(writer);
  const more = memoryFor(quads);
  if (used + more <= dataMax) return;
  throw storeFull(
    `The data use ${shown(used)} of the allowed ${shown(dataMax)} of memory, and this change needs ${shown(more)} more. ${ADVICE}, or start the server with a larger --data-max.`,
  );
}

/** Throws `store-full` if the dictionary has no room for new terms. */
export function requireRoomForTerms({ dictionary }: SnapshotWriter, { count, ends }: TermList): void {
  dictionary.requireRoom(count, ends[count]! - ends[0]!);
}

/** Converts an error of planning: a failed memory allocation counts as a full store too. */
export function asStoreFull(error: unknown): unknown {
  const isMemory = error instanceof RangeError && /allocation failed|array length/i.test(error.message);
  if (!isMemory) return error;
  return storeFull(`The system could not allocate memory for this change (${error.message}). ${ADVICE}.`);
}

function storeFull(message: string): AppError {
  return new AppError('store-full', `${message} Nothing was stored.`);
}

function shown(bytes: number): string {
  return bytes < GIB ? `${(bytes / MIB).toFixed(1)} MiB` : `${(bytes / GIB).toFixed(2)} GiB`;
}
