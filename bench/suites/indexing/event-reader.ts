import { linesIn } from '../../../src/library/client/lines.ts';

/** Yields the data of server-sent events; the first one is the beginning of the stream. */
export async function* eventsOf(url: string, signal: AbortSignal): AsyncGenerator<object> {
  const response = await fetch(url, { headers: { Accept: 'text/event-stream' }, signal });
  if (!response.ok || !response.body) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  yield {};
  try {
    for await (const line of linesIn(response.body)) {
      if (line.startsWith('data:')) yield JSON.parse(line.slice('data:'.length)) as object;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
