/** An event as a client of server-sent events receives it. */
export interface ReceivedEvent {
  /** `message` unless the server names another. */
  readonly type: string;
  readonly data: Record<string, unknown>;
}

/** Reads server-sent events by the rules of the HTML standard. */
export class EventReader {
  /** The position from which a client reconnects. */
  lastId = '';
  readonly response: Response;
  readonly #controller: AbortController;
  readonly #chunks: AsyncIterator<string>;
  #text = '';

  /** Opens a stream. Without a status 200 the body is left to the caller. */
  static async open(url: string, headers: Record<string, string> = {}): Promise<EventReader> {
    const controller = new AbortController();
    const { signal } = controller;
    const response = await fetch(url, { headers: { Accept: 'text/event-stream', ...headers }, signal });
    return new EventReader(response, controller);
  }

  private constructor(response: Response, controller: AbortController) {
    this.response = response;
    this.#controller = controller;
    const decoded = response.body!.pipeThrough(new TextDecoderStream());
    this.#chunks = decoded[Symbol.asyncIterator]();
  }

  /** Returns the next event with data; undefined at the end of the stream. */
  async next(): Promise<ReceivedEvent | undefined> {
    for (;;) {
      const end = this.#text.indexOf('\n\n');
      if (end < 0) {
        const { done, value } = await this.#chunks.next();
        if (done) return undefined;
        this.#text += value;
        continue;
      }
      const fields = this.#text.slice(0, end).split('\n');
      this.#text = this.#text.slice(end + 2);
      const event = this.#take(fields);
      if (event) return event;
    }
  }

  close(): void {
    this.#controller.abort();
  }

  #take(fields: readonly string[]): ReceivedEvent | undefined {
    let type = 'message';
    let data: string | undefined;
    for (const field of fields) {
      const [, name, value = ''] = /^(\w*):? ?(.*)$/s.exec(field) ?? [];
      if (name === 'id') this.lastId = value;
      else if (name === 'event') type = value;
      else if (name === 'data') data = value;
    }
    return data === undefined ? undefined : { type, data: JSON.parse(data) as Record<string, unknown> };
  }
}
