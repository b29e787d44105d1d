import type { ErrorData } from '../../errors.ts';

/** What a quad takes in an instance, with room for a query. */
const QUAD_BYTES = 330;

export function estimatedBytes(quads: number): number {
  return quads * QUAD_BYTES;
}

export function unavailable(reason: string): ErrorData {
  const message = `${reason} See docs/sparql.md for engines of their own beside this server.`;
  return { code: 'sparql-unavailable', message, details: {} };
}

/** A query has waited as long as it may. */
export function stillTakenIn(done: number, quads: number): ErrorData {
  const message = `A SPARQL thread is still taking in the data: ${done} of ${quads} quads. Ask again later.`;
  return { code: 'sparql-unavailable', message, details: { retryAfter: 10 } };
}
