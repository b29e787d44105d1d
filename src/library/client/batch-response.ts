import { IncompleteBatchError, PathpoolError } from './error-response.ts';
import { linesIn } from './lines.ts';
import type { BatchLine, BatchLines, BatchSummary } from './result-types.ts';

/** What a batch of a set tells beside its results. */
export interface BatchListeners {
  readonly onStart?: ((start: FirstLine) => void) | undefined;
  readonly onCursor?: ((cursor: string) => void) | undefined;
}

interface LastLine extends BatchSummary {
  readonly done: boolean;
}

interface CursorLine {
  readonly cursor: string;
}

interface FirstLine {
  readonly position: string;
  readonly total: number | null;
}

type AnyLine<Result> = BatchLine<Result> | LastLine | CursorLine | FirstLine;

/**
 * Yields the results in the response, and returns its last line.
 * @throws PathpoolError when the batch was cancelled
 * @throws IncompleteBatchError when the connection broke
 */
export async function* batchResults<Result>(
  response: Response,
  signal: AbortSignal | undefined,
  { onStart, onCursor }: BatchListeners = {},
): BatchLines<Result> {
  for await (const line of linesOf<Result>(response, signal)) {
    if ('uri' in line) yield line;
    else if (!('done' in line)) {
      if ('cursor' in line) onCursor?.(line.cursor);
      else onStart?.({ position: line.position, total: line.total });
    } else {
      const { done, ...summary } = line;
      if (done) return summary;
      throw new PathpoolError(503, { code: 'cancelled', detail: 'The batch was cancelled.' });
    }
  }
  throw incomplete();
}

/** @throws the signal's reason, or IncompleteBatchError where the text breaks off */
async function* linesOf<Result>(
  response: Response,
  signal: AbortSignal | undefined,
): AsyncGenerator<AnyLine<Result>, void, undefined> {
  try {
    for await (const text of linesIn(response.body!)) yield JSON.parse(text) as AnyLine<Result>;
  } catch (error) {
    signal?.throwIfAborted();
    throw incomplete(error);
  }
}

function incomplete(cause?: unknown): IncompleteBatchError {
  const message = 'The connection ended before the last line of the batch.';
  return new IncompleteBatchError(message, { cause });
}
