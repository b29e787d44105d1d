import type { TemplatedApp, HttpRequest as UwsRequest, HttpResponse as UwsResponse } from 'uWebSockets.js';
import { setImmediate as turn } from 'node:timers/promises';
import { servedDate } from '../headers/served-date.ts';
import { closingMessage } from './closing-message.ts';
import type { Address, Front, Listener, RequestHead, RequestSink, TlsFiles } from './front.ts';
import { assertFree } from './port-probe.ts';

type Uws = typeof import('uWebSockets.js');

/**
 * Maximum bytes of request line and header fields for uWebSockets.js, which reads it from the
 * environment when it is loaded. It is higher than the server's own limit (G-16), so that clients
 * that exceed that limit get a regular error response. The library's own response has neither a
 * problem nor the headers for browsers, and cannot be changed.
 */
const FRONT_HEAD_BYTES = 128 * 1024;

/** Rejects if there is no binary for this version of Node.js, system and processor. */
export async function loadUwsFront(): Promise<Front> {
  process.env['UWS_HTTP_MAX_HEADERS_SIZE'] ??= String(FRONT_HEAD_BYTES);
  const uws = await import('uWebSockets.js');
  hideName(uws);
  return {
    name: 'uws',
    listen: (address, sink) => listen(uws, address, sink),
    // Until then, a further request makes uWebSockets.js close the connection. If the response had
    // been sent before, it would execute that request.
    sendLast: (send) => void setImmediate(send),
    // `end` closes a connection only after uWebSockets.js has read and executed everything that it
    // has received.
    reject: (port, { head, text }, withoutBody) => {
      port.writeStatus(closingMessage(head, text, withoutBody));
      port.close();
    },
  };
}

/**
 * Stops uWebSockets.js from adding a header with its name and version to every response. The
 * function is missing from the type declarations.
 */
function hideName(adapter: object): void {
  (adapter as { _cfg?: (option: string) => void })._cfg?.('silent');
}

async function listen(uws: Uws, { host, port, tls }: Address, sink: RequestSink): Promise<Listener> {
  servedDate.follow();
  const app = createApp(uws, tls, sink);
  if (port !== 0) await assertFree(host, port);
  const bound = await new Promise<number>((resolve, reject) => {
    app.listen(host, port, (socket) => {
      // The type declarations allow only connections here, but listening sockets have a port too.
      if (socket) resolve(uws.us_socket_local_port(socket as never));
      else reject(new Error(`Can't listen on ${host}:${port}.`));
    });
  });
  const successors: TemplatedApp[] = [];
  const replaceTls = (files: TlsFiles) => {
    const next = createApp(uws, files, sink);
    passOn(app, successors.at(-1), next);
    successors.push(next);
  };
  const close = async () => {
    // The last response may still wait for the end of the callback in which it was written.
    await turn();
    for (const each of [app, ...successors]) each.close();
  };
  return { port: bound, replaceTls, close };
}

function createApp(uws: Uws, tls: TlsFiles | undefined, sink: RequestSink): TemplatedApp {
  const bare = tls ? uws.SSLApp({ cert_file_name: tls.certFile, key_file_name: tls.keyFile }) : uws.App();
  const accept = (response: UwsResponse, request: UwsRequest, method: string) =>
    sink.accept(response, readHead(request, method));
  // Saves a call for the method of a GET.
  return bare
    .get('/*', (response, request) => accept(response, request, 'GET'))
    .any('/*', (response, request) => accept(response, request, request.getCaseSensitiveMethod()));
}

/** Functions that are missing from the type declarations. */
interface PassingApp {
  getDescriptor(): unknown;
  addChildAppDescriptor(descriptor: unknown): void;
  removeChildAppDescriptor(descriptor: unknown): void;
}

/**
 * Makes the app that listens pass on new connections to `next`, before the handshake. (The library
 * cannot change the certificate of an app. If another app listened on the same port instead,
 * connections that wait for the first one would be lost with its socket.)
 */
function passOn(listening: TemplatedApp, before: TemplatedApp | undefined, next: TemplatedApp): void {
  const [from, to] = [listening, next] as unknown as [PassingApp, PassingApp];
  from.addChildAppDescriptor(to.getDescriptor());
  if (before) from.removeChildAppDescriptor((before as unknown as PassingApp).getDescriptor());
}

/**
 * Bytes of a request line besides the method and the target, and of a header line besides the name
 * and the value.
 */
const REQUEST_LINE = ' '.length + ' HTTP/1.1\r\n'.length;
const FIELD_LINE = ': \r\n'.length;

/** Copies the head: the request object of uWebSockets.js is valid only during its callback. */
function readHead(request: UwsRequest, method: string): RequestHead {
  const headers: string[] = [];
  const url = request.getUrl();
  const query = request.getQuery() ?? '';
  let bytes = REQUEST_LINE + method.length + url.length + query.length;
  request.forEach((name, value) => {
    headers.push(name, value);
    bytes += FIELD_LINE + name.length + value.length;
  });
  return { method, url, query, headers, bytes, fault: undefined };
}
