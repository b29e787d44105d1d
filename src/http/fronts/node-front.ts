import { readFile } from 'node:fs/promises';
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { TlsOptions } from 'node:tls';
import { type ErrorData, errorData } from '../../errors.ts';
import type { Address, Front, Listener, RequestSink, TlsFiles } from './front.ts';
import { NodeConnection } from './node-connection.ts';

const HANDSHAKE_MS = 10_000;

export interface Times {
  /** How long a client may take for a head, and a connection may be idle. */
  readonly idleMs: number;
  /** How often node:http looks for heads that take too long. */
  readonly checkMs: number;
}

const usualTimes: Times = { idleMs: 10_000, checkMs: 2_000 };

const fixedLimits: ServerOptions = {
  // Higher than the server's own limit (G-16), so that the server rejects most long heads itself.
  maxHeaderSize: 128 * 1024,
  // A body may take any time; the server limits the time between two chunks.
  requestTimeout: 0,
  // The server rejects requests without `Host` itself.
  requireHostHeader: false,
  insecureHTTPParser: false,
  noDelay: true,
};

/** Returns the HTTP library of Node.js. */
export function createNodeFront({ idleMs, checkMs }: Times = usualTimes): Front {
  const limits: ServerOptions = {
    ...fixedLimits,
    headersTimeout: idleMs,
    keepAliveTimeout: idleMs,
    connectionsCheckingInterval: checkMs,
  };
  return {
    name: 'node',
    listen: (address, sink) => listen(limits, address, sink),
    sendLast: (send) => send(),
    reject: (port, { head, text }, withoutBody) => {
      port.writeStatus(head);
      if (!withoutBody) {
        port.end(text, true);
        return;
      }
      port.writeHeader('Content-Length', String(Buffer.byteLength(text)));
      port.writeHeader('Connection', 'close');
      port.endWithoutBody();
    },
  };
}

async function listen(
  limits: ServerOptions,
  { host, port, tls }: Address,
  sink: RequestSink,
): Promise<Listener> {
  const encrypted = tls && createTlsServer({ ...limits, ...(await tlsOptions(tls)) });
  const server = encrypted ?? createServer(limits);
  // node:http would silently drop the fields beyond; the limit of bytes bounds them.
  server.maxHeadersCount = 0;
  server.timeout = 0;
  const closeConnections = serveConnections(server, sink);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => {
      reject(new Error(`Can't listen on ${host}:${port}: ${error.message}`, { cause: error }));
    });
    server.listen({ host, port }, resolve);
  });
  // The system could not accept one connection; those that follow may work.
  server.on('error', () => {});
  const close = async () => {
    // Calls back when the last connection is closed. An encrypted one is two sockets here, of which
    // one may report no end.
    const closed = new Promise((resolve) => server.close(resolve));
    closeConnections();
    await closed;
  };
  const replaceTls = async (files: TlsFiles) => encrypted?.setSecureContext(await tlsOptions(files));
  return { port: (server.address() as AddressInfo).port, replaceTls, close };
}

async function tlsOptions({ certFile, keyFile }: TlsFiles): Promise<TlsOptions> {
  const [cert, key] = await Promise.all([readFile(certFile), readFile(keyFile)]);
  return { cert, key, minVersion: 'TLSv1.2', handshakeTimeout: HANDSHAKE_MS };
}

/** Returns a function that closes all connections. */
function serveConnections(server: Server, sink: RequestSink): () => void {
  const sockets = new Set<Socket>();
  const connections = new WeakMap<Socket, NodeConnection>();
  const track = (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  };
  server.on('connection', track);
  server.on('secureConnection', track);
  const connectionOf = (socket: Socket) => {
    let connection = connections.get(socket);
    if (!connection) {
      connection = new NodeConnection(socket, sink);
      connections.set(socket, connection);
    }
    return connection;
  };
  const accept = (request: IncomingMessage, response: ServerResponse, expectsContinue: boolean) =>
    connectionOf(request.socket).accept(request, response, expectsContinue);
  server.on('request', (request, response) => accept(request, response, false));
  server.on('checkExpectation', (request, response) => accept(request, response, false));
  server.on('checkContinue', (request, response) => accept(request, response, true));
  server.on('connect', (_request, socket) => {
    connectionOf(socket as Socket).refuse(errorData('unknown-method', 'The server is not a proxy.'));
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const connection = connectionOf(socket as Socket);
    const refusal = refusalOf(error);
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') connection.expire();
    else if (refusal && socket.writable) connection.refuse(refusal);
    else socket.destroy();
  });
  return () => {
    for (const socket of sockets) {
      connections.get(socket)?.abort();
      socket.destroy();
    }
  };
}

/** Returns the error for bytes that node:http could not read; undefined for a lost connection. */
function refusalOf({ code = '', message }: NodeJS.ErrnoException): ErrorData | undefined {
  if (!code.startsWith('HPE_') || code === 'HPE_INVALID_EOF_STATE') return undefined;
  if (code === 'HPE_HEADER_OVERFLOW') {
    return errorData('head-too-large', 'The request line and header fields are too long.');
  }
  if (code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW')
    return errorData('too-large', 'The chunk extensions are too long.');
  if (code === 'HPE_INVALID_METHOD') {
    return errorData('unknown-method', 'The server does not know this method.');
  }
  return errorData('bad-arguments', `The request is malformed: ${message}.`);
}
