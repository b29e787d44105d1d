import type { ErrorData } from '../../errors.ts';
import type { ResponseHead } from '../server/header-lines.ts';
import type { BodyPort } from '../server/response-body.ts';
import type { Inflow } from '../server/upload.ts';
import type { FrontName } from './known-fronts.ts';

/** PEM files. */
export interface TlsFiles {
  readonly certFile: string;
  readonly keyFile: string;
}

export interface Address {
  readonly host: string;
  /** 0: the system chooses a free port. */
  readonly port: number;
  /** If omitted, connections are not encrypted. */
  readonly tls?: TlsFiles;
}

/**
 * One request's end of a connection. It is the part of uWebSockets.js's response object that an
 * exchange uses, which is handed over as it is; the other front implements the same.
 */
export interface ResponsePort extends BodyPort, Inflow {
  onAborted(listener: () => void): unknown;
  /** A chunk is valid only during the call. */
  onData(listener: (chunk: ArrayBuffer | Uint8Array, last: boolean) => void): unknown;
  /** Text, or its bytes. */
  getRemoteAddressAsText(): ArrayBuffer | string;
}

/** The content of a request's head. */
export interface RequestHead {
  readonly method: string;
  /** Path as sent; `*` if the target is the server itself. */
  readonly url: string;
  readonly query: string;
  /** Name, value, name, value, …; names in lower case. */
  readonly headers: readonly string[];
  /** Length of the head, without insignificant white space. */
  readonly bytes: number;
  /** Why the front rejects the request. */
  readonly fault: ErrorData | undefined;
}

/** A short response that is known as a whole. */
export interface ShortResponse {
  /** As `ResponseHeadFormat` makes it. */
  readonly head: ResponseHead;
  readonly text: string;
}

/** What a front does with the requests that it reads. */
export interface RequestSink {
  accept(port: ResponsePort, head: RequestHead): void;
  /** Returns the response to bytes that are not a request. */
  refuse(error: ErrorData): ShortResponse;
}

export interface Listener {
  readonly port: number;
  /**
   * Uses other files for new connections; those that are open go on. Only if connections are
   * encrypted. Throws on files that cannot be used; then nothing changes.
   */
  replaceTls(tls: TlsFiles): Promise<void> | void;
  /** Closes the listening socket and all connections, once the last responses have been sent. */
  close(): Promise<void>;
}

/** An HTTP library: it reads requests, and writes responses through a `ResponsePort` each. */
export interface Front {
  readonly name: FrontName;
  /** Rejects if the address is not available. */
  listen(address: Address, sink: RequestSink): Promise<Listener>;
  /**
   * Sends the last response of a connection, before which everything that has been received must be
   * processed.
   */
  sendLast(send: () => void): void;
  /**
   * Sends a response and closes the connection, so that nothing that follows is read as a request.
   * `withoutBody`: the response to a HEAD.
   */
  reject(port: ResponsePort, response: ShortResponse, withoutBody: boolean): void;
}
