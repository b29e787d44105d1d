/** The request on whose behalf work is done, as services and the pool see it. */
export interface Caller {
  /** The client's address in text form; empty once the request is over. */
  readonly remoteAddress: string;
  /** Name of the credential that the request gave; undefined without one. */
  readonly user: string | undefined;
  /** Method and target as sent, such as `PUT /context?graph=http://example.org/people`. */
  readonly requestLine: string;
  /** Calls `listener` when the client disconnects before the reply is complete; at once if it already has. */
  onAbort(listener: () => void): void;
}

/** The same request, if there is one, for work that something else cancels. */
export function withAbort(caller: Caller | undefined, onAbort: Caller['onAbort']): Caller {
  const { remoteAddress = '', user, requestLine = '' } = caller ?? {};
  return { remoteAddress, user, requestLine, onAbort };
}
