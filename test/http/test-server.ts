import type { TestContext } from 'node:test';
import type { HttpServerOptions } from '../../src/http/server/http-options.ts';
import type { HttpResponse } from '../../src/http/server/message.ts';
import { type HttpServer, startServer } from '../../src/http/server/server.ts';
import { TransferTasks } from '../../src/services/tasks/transfer-tasks.ts';
import { tested } from '../support/tested-front.ts';

export interface TestServer extends HttpServer {
  readonly url: string;
  /** The internal errors that were logged. */
  readonly internalErrors: object[];
}

/** A server on a free port that ends with the test. */
export async function serve(
  context: TestContext,
  handle: HttpServerOptions['handle'],
  options: Partial<HttpServerOptions> = {},
): Promise<TestServer> {
  const internalErrors: object[] = [];
  const server = await startServer({
    host: '127.0.0.1',
    port: 0,
    basePath: '',
    allowOrigins: [],
    bodyTimeMs: 30_000,
    maxBufferedBodies: 2 ** 30,
    maxBufferedResponses: 2 ** 28,
    transfers: new TransferTasks(),
    log: { error: (details) => internalErrors.push(details) },
    handle,
    front: tested.front,
    ...options,
  });
  context.after(() => server.close(0));
  return { ...server, url: `http://127.0.0.1:${server.port}`, internalErrors };
}

export function text(body: string, status = 200): HttpResponse {
  return { status, headers: [['Content-Type', 'text/plain; charset=utf-8']], body };
}
