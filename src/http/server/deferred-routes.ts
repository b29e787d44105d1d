import type { Endpoint } from '../description/endpoint.ts';
import type { Route } from './router.ts';

/** Returns the same routes with handlers that wait until the promise is fulfilled. */
export function deferRoutes(routes: readonly Route[], until: Promise<unknown>): Route[] {
  let isFulfilled = false;
  void until.then(() => {
    isFulfilled = true;
  });
  const deferred = ({ handler, operations }: Endpoint): Endpoint => ({
    handler: (request, rest) =>
      isFulfilled ? handler(request, rest) : until.then(() => handler(request, rest)),
    operations,
  });
  return routes.map((route) => {
    const entries = Object.entries(route.methods).map(([method, endpoint]) => [method, deferred(endpoint)]);
    const methods: Route['methods'] = Object.fromEntries(entries);
    return route.options ? { ...route, methods, options: deferred(route.options) } : { ...route, methods };
  });
}
