import type { LargePayload, OpenPayload } from '../../cluster/history/log-history.ts';
import { AppError } from '../../errors.ts';
import { readFully } from '../../journal/disk/disk.ts';
import { blocksOf } from '../../store/patch/patch.ts';
import { readBlocks } from '../../store/patch/row-block.ts';
import { blockRows, type RowCursor, TextRows } from './row-cursor.ts';

/** The minimum number of bytes to read at once. */
const WINDOW_BYTES = 1 << 20;
const LINE_FEED = 0x0a;
const LETTER_B = 0x42;
const LETTER_H = 0x48;

/** The rows in a payload: blocks of a cluster, from a backup, or text. */
export function* rowsIn(payload: Uint8Array): Generator<RowCursor> {
  const blocks = blocksOf(payload);
  if (!blocks) return yield new TextRows(payload);
  for (const block of blocks) yield blockRows(block);
}

/** The same for a payload that is not in memory as a whole. Throws `data-damaged`. */
export async function* rowsInLarge({ bytes, open }: LargePayload): AsyncGenerator<RowCursor> {
  const payload = open();
  try {
    const at = await endOfHeader(payload, bytes);
    const [letter] = await windowAt(payload, at, 1);
    if (letter === LETTER_B) yield* blocksAt(payload, at, bytes);
    else for await (const lines of wholeLines(payload, at, bytes)) yield new TextRows(lines);
  } finally {
    await payload.close();
  }
}

/** The lines of such a payload before its rows. */
export async function headerOfLarge({ bytes, open }: LargePayload): Promise<Uint8Array> {
  const payload = open();
  try {
    return await windowAt(payload, 0, await endOfHeader(payload, bytes));
  } finally {
    await payload.close();
  }
}

/** The first bytes of a payload: at most this many. */
export async function beginningOf({ bytes, open }: LargePayload, most: number): Promise<Uint8Array> {
  const payload = open();
  try {
    return await windowAt(payload, 0, Math.min(most, bytes));
  } finally {
    await payload.close();
  }
}

async function endOfHeader(payload: OpenPayload, bytes: number): Promise<number> {
  let at = 0;
  for await (const lines of wholeLines(payload, 0, bytes)) {
    for (let from = 0; from < lines.length; ) {
      if (lines[from] !== LETTER_H) return at + from;
      from = lines.indexOf(LINE_FEED, from) + 1;
    }
    at += lines.length;
  }
  return at;
}

async function* blocksAt(payload: OpenPayload, at: number, bytes: number): AsyncGenerator<RowCursor> {
  const line = await windowAt(payload, at, Math.min(64, bytes - at));
  const from = at + line.indexOf(LINE_FEED) + 1;
  const file = { read: (target: Uint8Array, offset: number) => payload.read(target, from + offset) };
  for await (const block of readBlocks(file, bytes - from, () => {})) {
    if (!block) throw damaged();
    yield blockRows(block);
  }
}

/** Yields whole lines, as many as a window has; a line may be longer than that. */
async function* wholeLines(payload: OpenPayload, from: number, bytes: number): AsyncGenerator<Uint8Array> {
  let size = WINDOW_BYTES;
  for (let at = from; at < bytes; ) {
    const window = await windowAt(payload, at, Math.min(size, bytes - at));
    const end = window.lastIndexOf(LINE_FEED) + 1;
    if (end > 0) yield window.subarray(0, end);
    else if (at + size >= bytes) throw damaged();
    at += end;
    size = end > 0 ? WINDOW_BYTES : 2 * size;
  }
}

async function windowAt(payload: OpenPayload, at: number, length: number): Promise<Uint8Array> {
  const window = new Uint8Array(length);
  if ((await readFully(payload, window, at)) < length) throw removed();
  return window;
}

function damaged(): AppError {
  return new AppError('data-damaged', 'A commit in the shared log has invalid rows.');
}

function removed(): AppError {
  return new AppError('unavailable', 'A commit is being removed from the shared log. Try again.');
}
