import type { Operation } from '../description/operation.ts';
import type { Handler } from './message.ts';

/** What handles a method of a route, and its description in `/openapi.json`. */
export interface Endpoint {
  readonly handler: Handler;
  /** Several if the paths of the route differ in what the method does there. */
  readonly operations: readonly [Operation, ...Operation[]];
}

export function endpoint(handler: Handler, ...operations: Endpoint['operations']): Endpoint {
  return { handler, operations };
}
