import type { Handler } from './message.ts';
import type { Route } from './router.ts';

/** Returns the same routes with handlers that wait until the promise is fulfilled. */
export function deferRoutes(routes: readonly Route[], until: Promise<unknown>): Route[] {
  let isFulfilled = false;
  void until.then(() => {
    isFulfilled = true;
  });
  const deferred =
    (handler: Handler): Handler =>
    (request, rest) =>
      isFulfilled ? handler(request, rest) : until.then(() => handler(request, rest));
  return routes.map((route) => {
    const entries = Object.entries(route.methods).map(([method, handler]) => [method, deferred(handler)]);
    const methods: Route['methods'] = Object.fromEntries(entries);
    return route.options ? { ...route, methods, options: deferred(route.options) } : { ...route, methods };
  });
}
