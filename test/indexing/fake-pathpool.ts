import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Scope } from '../support/scope.ts';

export type Document = Readonly<Record<string, unknown>>;

/** What a request meets; `cut` ends the connection after that many lines, `empty` sends none. */
export type Fault = { readonly status: number } | { readonly cut: number } | 'resync' | 'empty';

const CURSOR_EVERY = 3;

/**
 * Answers like a Pathpool server with one stored program, `p`: `/ldpath/batch` and the changes of
 * the program. Each commit sets or removes the documents of some resources.
 */
export class FakePathpool {
  /** The next faults, one for each request; undefined lets a request pass. */
  readonly faults: (Fault | undefined)[] = [];
  readonly requests: string[] = [];
  url = '';
  #identity = 'one';
  /** The documents after each commit. */
  #states: ReadonlyMap<string, Document | 'failure'>[] = [new Map()];
  #oldest = 0;

  static async start(scope: Scope): Promise<FakePathpool> {
    const fake = new FakePathpool();
    const server = createServer((request, response) => {
      fake.#answer(request, response).catch((error: Error) => response.destroy(error));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    scope.after(() => {
      server.closeAllConnections();
      server.close();
    });
    fake.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return fake;
  }

  get documents(): ReadonlyMap<string, Document | 'failure'> {
    return this.#states.at(-1)!;
  }

  /** `failure`: the program fails for that resource. */
  commit(changes: Readonly<Record<string, Document | 'failure' | null>>): void {
    const next = new Map(this.documents);
    for (const [uri, document] of Object.entries(changes)) {
      if (document === null) next.delete(uri);
      else next.set(uri, document);
    }
    this.#states.push(next);
  }

  /** Older positions are gone from now on. */
  forgetChanges(): void {
    this.#oldest = this.#states.length - 1;
  }

  /** As after a restore of other data: all positions and cursors are gone. */
  restore(documents: Readonly<Record<string, Document>>): void {
    this.#identity += 'x';
    this.#states = [new Map(Object.entries(documents))];
    this.#oldest = 0;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url!, 'http://x');
    const body = await text(request);
    this.requests.push(`${request.method} ${url.pathname}`);
    const fault = this.faults.shift();
    if (typeof fault === 'object' && 'status' in fault) return problem(response, fault.status, 'on purpose');
    response.setHeader('Content-Type', 'application/x-ndjson');
    if (fault === 'empty') return void response.end();
    if (fault === 'resync') {
      response.end(`${JSON.stringify({ position: this.#position(), resync: true })}\n`);
      return;
    }
    const lines =
      url.pathname === '/ldpath/batch'
        ? this.#wholeSet(JSON.parse(body) as { cursor?: string })
        : this.#changes(url.searchParams.get('since')!);
    if (!lines) return problem(response, 410, 'The position is gone.');
    const sent = fault ? lines.slice(0, fault.cut) : lines;
    for (const line of sent) response.write(`${JSON.stringify(line)}\n`);
    if (fault) response.destroy();
    else response.end();
  }

  #position(commit = this.#states.length - 1): string {
    return `${this.#identity}.${commit}`;
  }

  #wholeSet({ cursor }: { readonly cursor?: string }): readonly object[] | undefined {
    const [identity = '', last = ''] = cursor?.split(' ') ?? [this.#identity];
    if (identity !== this.#identity) return undefined;
    const uris = [...this.documents.keys()].toSorted().filter((uri) => uri > last);
    const lines: object[] = [{ position: this.#position(), total: uris.length }];
    uris.forEach((uri, i) => {
      lines.push({ uri, ...outcomeOf(this.documents.get(uri)!) });
      if (i % CURSOR_EVERY === 0) lines.push({ cursor: `${this.#identity} ${uri}`, count: i });
    });
    return [...lines, { done: true, count: uris.length, errors: 0 }];
  }

  #changes(since: string): readonly object[] | undefined {
    const [identity, number] = since.split('.');
    const from = Number(number);
    const before = this.#states[from];
    if (identity !== this.#identity || from < this.#oldest || !before) return undefined;
    const uris = new Set([...before.keys(), ...this.documents.keys()]);
    const lines = [...uris].toSorted().flatMap((uri): object[] => {
      const document = this.documents.get(uri);
      if (document === before.get(uri)) return [];
      return [{ position: since, uri, ...(document ? outcomeOf(document) : { deleted: true }) }];
    });
    return [...lines, { position: this.#position() }];
  }
}

function outcomeOf(document: Document | 'failure'): object {
  return document === 'failure' ? { error: { code: 'x', detail: 'on purpose' } } : { result: document };
}

function problem(response: ServerResponse, status: number, detail: string): void {
  response.writeHead(status, { 'Content-Type': 'application/problem+json' });
  response.end(JSON.stringify({ status, detail, code: 'x' }));
}
