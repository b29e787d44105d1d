import type { Route } from '../router.ts';
import { readDescription } from './meta-read.ts';
import type { Meta, MetaOptions } from './meta-service.ts';
import { removeDescription, replaceDescription } from './meta-write.ts';
import { ofUri, typedRoutes } from './resource-typed-routes.ts';

/** Routes for descriptions of resources (http-api 3.6). */
export function metaRoutes(meta: Meta, options: MetaOptions): Route[] {
  return typedRoutes('/meta', options.base, {
    typed: {
      GET: (request, resource, mime) => readDescription(meta, options.base, request, resource, mime),
      PUT: (request, resource, mime) =>
        ofUri(request, resource, (uri) => replaceDescription(meta, options.maxBytes, request, uri, mime)),
    },
    plain: {
      DELETE: (request, resource) => ofUri(request, resource, (uri) => removeDescription(meta, request, uri)),
    },
  });
}
