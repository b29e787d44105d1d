import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Scope } from '../../support/scope.ts';

export interface Answer {
  readonly status: number;
  readonly body: object;
}

export interface Answering {
  answer(request: IncomingMessage, url: URL, body: string): Answer;
}

/** `before`: not executed; `after`: executed, but its response is lost. */
export type SearchFault = 'before' | 'after' | { readonly status: number };

export interface FakeSearchServer {
  url: string;
  /** The next faults, one for each request; undefined lets a request pass. */
  readonly faults: (SearchFault | undefined)[];
  /** A request with a longer body is refused. */
  maxBody: number;
}

/** Serves a fake search server over HTTP, with faults. */
export async function serveSearch(scope: Scope, search: Answering): Promise<FakeSearchServer> {
  const faults: (SearchFault | undefined)[] = [];
  const fake: FakeSearchServer = { url: '', faults, maxBody: Number.POSITIVE_INFINITY };
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const fault = faults.shift();
    if (fault === 'before') return void response.destroy();
    const url = new URL(request.url!, 'http://x');
    const refusal = body.length > fake.maxBody ? { status: 413 } : fault;
    const answer = typeof refusal === 'object' ? { ...refusal, body: {} } : search.answer(request, url, body);
    if (fault === 'after') return void response.destroy();
    response.writeHead(answer.status, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify(answer.body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  scope.after(() => {
    server.closeAllConnections();
    server.close();
  });
  fake.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return fake;
}
