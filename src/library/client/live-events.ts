import { Backoff, mayPass, pause } from './backoff.ts';
import type { CallOptions, Parameters, Request, Sender } from './sender.ts';
import { eventsIn, type ServerSentEvent } from './server-sent-events.ts';

/** Options of calls that go on until their signal. */
export interface LiveOptions extends CallOptions {
  /** A position after which to begin; the one of now by default. */
  readonly since?: string;
  /** Called when the connection was lost, before the client waits and connects again. */
  readonly onLost?: (error: unknown) => void;
}

/** The server sends something every 15 s, but for the time of one long evaluation. */
const SILENCE_MS = 120_000;

const EVENT_STREAM = 'text/event-stream';

/**
 * Yields the events of a stream, over any number of connections, to the event `resync`, if there
 * is one. The first request fails as that of any other call does.
 */
export async function* liveEvents(
  sender: Sender,
  path: string,
  parameters: Parameters,
  { since, signal, onLost }: LiveOptions,
): AsyncGenerator<ServerSentEvent, void, undefined> {
  const backoff = new Backoff();
  let lastEventId = since;
  let isOpen = false;
  for (;;) {
    try {
      const request = { parameters, accept: EVENT_STREAM, lastEventId };
      for await (const event of eventsOf(sender, path, request, signal)) {
        isOpen = true;
        backoff.reset();
        lastEventId = event.id ?? lastEventId;
        yield event;
        if (event.type === 'resync') return;
      }
    } catch (error) {
      signal?.throwIfAborted();
      if (!isOpen || !mayPass(error)) throw error;
      onLost?.(error);
      await pause(backoff.next(error), signal);
    }
  }
}

/** Yields the events of one connection. Its end is an error, and so is a long silence. */
async function* eventsOf(
  sender: Sender,
  path: string,
  request: Request,
  signal: AbortSignal | undefined,
): AsyncGenerator<ServerSentEvent, void, undefined> {
  const silence = new SilenceLimit(signal);
  try {
    silence.begin();
    const response = await sender.send(path, request, { signal: silence.signal });
    if (!response.headers.get('Content-Type')?.startsWith(EVENT_STREAM)) {
      await response.body?.cancel();
      throw new Error(`${path} is not a stream of events.`);
    }
    for await (const event of eventsIn(response.body!)) {
      // The time that the reader takes for an event is no silence of the server.
      silence.end();
      yield event;
      silence.begin();
    }
  } finally {
    silence.end();
  }
  throw new Error('The server has ended the stream.');
}

/** Aborts a connection over which nothing comes: the other end may be gone without a word. */
class SilenceLimit {
  readonly signal: AbortSignal;
  readonly #controller = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(signal: AbortSignal | undefined) {
    const own = this.#controller.signal;
    this.signal = signal ? AbortSignal.any([signal, own]) : own;
  }

  begin(): void {
    const error = () => new Error(`Nothing has come for ${SILENCE_MS / 1000} seconds.`);
    this.#timer = setTimeout(() => this.#controller.abort(error()), SILENCE_MS);
  }

  end(): void {
    clearTimeout(this.#timer);
  }
}
