import type { Handler } from '../server/message.ts';
import type { Operation } from './described-operation.ts';

/** What handles a method of a route, and its description in `/openapi.json`. */
export interface Endpoint {
  readonly handler: Handler;
  /** Several if the paths of the route differ in what the method does there. */
  readonly operations: readonly [Operation, ...Operation[]];
}

export function endpoint(handler: Handler, ...operations: Endpoint['operations']): Endpoint {
  return { handler, operations };
}
