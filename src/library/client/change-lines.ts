import { PathpoolError, ResyncError } from './error-response.ts';
import { linesIn } from './lines.ts';
import { type LiveOptions, liveEvents } from './live-events.ts';
import type { Parameters, Sender } from './sender.ts';

/** Everything up to this position has been told. */
export interface ReachedPosition {
  readonly position: string;
  readonly commit?: never;
  readonly time?: never;
  readonly uri?: never;
}

type Lines<Line> = AsyncGenerator<Line | ReachedPosition, void, undefined>;

/** Yields the changes that a response has as lines. */
export async function* changesUpToNow<Line extends object>(
  sender: Sender,
  path: string,
  parameters: Parameters,
  signal: AbortSignal | undefined,
): Lines<Line> {
  try {
    const request = { parameters, accept: 'application/x-ndjson' };
    const response = await sender.send(path, request, { signal });
    for await (const text of linesIn(response.body!)) {
      const line = JSON.parse(text) as Line | { readonly resync: true };
      if (isResync(line)) throw resync();
      yield line;
    }
  } catch (error) {
    throw toResync(error);
  }
}

/** Yields changes as they happen, until the signal. */
export async function* followedChanges<Line>(
  sender: Sender,
  path: string,
  parameters: Parameters,
  options: LiveOptions,
): Lines<Line> {
  try {
    for await (const { type, id, data } of liveEvents(sender, path, parameters, options)) {
      if (type === 'resync') throw resync();
      if (data !== undefined) yield lineOf<Line>(type, data);
      else if (id !== undefined) yield { position: id };
    }
  } catch (error) {
    throw toResync(error);
  }
}

/** A name of an event other than `message` becomes a flag. */
function lineOf<Line>(type: string, data: string): Line {
  const line = JSON.parse(data) as Line;
  return type === 'message' ? line : { ...line, [type]: true };
}

function isResync(line: object): line is { readonly resync: true } {
  return 'resync' in line;
}

function resync(): ResyncError {
  return new ResyncError('The changes since the position are not known: read everything again.');
}

function toResync(error: unknown): unknown {
  if (!(error instanceof PathpoolError) || error.code !== 'position-gone') return error;
  return new ResyncError(error.message, { cause: error });
}
