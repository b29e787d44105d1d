import type { ErrorData } from '../errors.ts';

/** `reason`: a sentence. */
export function unavailable(reason: string): ErrorData {
  const message = `${reason} See docs/sparql.md for running a separate SPARQL engine.`;
  return { code: 'sparql-unavailable', message, details: {} };
}

/** `data`: the data that do not fit, as a plural noun. */
export function tooBig(data: string, maxBytes: number): ErrorData {
  return unavailable(
    `${data} do not fit into the ${maxBytes} bytes that an instance of the SPARQL engine may use (--sparql-max).`,
  );
}

/** The error for a query that has waited as long as it may. */
export function stillTakenIn(done: number, quads: number): ErrorData {
  const message = `A SPARQL thread is still loading the data: ${done} of ${quads} quads. Try again later.`;
  return { code: 'sparql-unavailable', message, details: { retryAfter: 10 } };
}

/** Returns the same error without the size of the data, which not all clients may learn. */
export function withoutNumbers(error: ErrorData): ErrorData {
  if (error.code !== 'sparql-unavailable') return error;
  return {
    ...error,
    message: 'SPARQL is not available now. Ask the operator of the server, or try again later.',
  };
}
