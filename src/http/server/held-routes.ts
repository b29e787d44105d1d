import type { Handler } from './message.ts';
import type { Route } from './router.ts';

/** Returns the same routes with handlers that wait until the promise is fulfilled. */
export function holdRoutes(routes: readonly Route[], until: Promise<unknown>): Route[] {
  let open = false;
  void until.then(() => {
    open = true;
  });
  const held =
    (handler: Handler): Handler =>
    (request, rest) =>
      open ? handler(request, rest) : until.then(() => handler(request, rest));
  return routes.map((route) => {
    const methods = Object.entries(route.methods).map(([method, handler]) => [method, held(handler)]);
    const methodsHeld = { ...route, methods: Object.fromEntries(methods) as Route['methods'] };
    return route.options ? { ...methodsHeld, options: held(route.options) } : methodsHeld;
  });
}
