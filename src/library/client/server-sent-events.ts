import { linesIn } from './lines.ts';

/** A message of a stream of server-sent events. */
export interface ServerSentEvent {
  /** `message` unless the server names another. */
  readonly type: string;
  /** Where a client goes on that connects again. */
  readonly id: string | undefined;
  readonly data: string | undefined;
}

const none: ServerSentEvent = { type: 'message', id: undefined, data: undefined };

/** Yields the events of a stream. One that breaks off is left out, as the HTML standard says. */
export async function* eventsIn(
  stream: ReadableStream<Uint8Array>,
): AsyncGenerator<ServerSentEvent, void, undefined> {
  let event = none;
  for await (const line of linesIn(stream)) {
    if (line !== '') event = withField(event, line);
    else {
      if (event !== none) yield event;
      event = none;
    }
  }
}

function withField(event: ServerSentEvent, line: string): ServerSentEvent {
  const colon = line.indexOf(':');
  const name = colon < 0 ? line : line.slice(0, colon);
  const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
  if (name === 'event') return { ...event, type: value };
  if (name === 'id') return { ...event, id: value };
  if (name === 'data')
    return { ...event, data: event.data === undefined ? value : `${event.data}\n${value}` };
  return event;
}
