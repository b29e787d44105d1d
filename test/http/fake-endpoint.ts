import { type Endpoint, endpoint } from '../../src/http/description/endpoint.ts';
import type { Handler } from '../../src/http/server/message.ts';

/** An endpoint whose description does not matter. */
export function fakeEndpoint(handler: Handler): Endpoint {
  return endpoint(handler, { tag: 'Server', summary: 'A test', responses: {}, problems: [] });
}
