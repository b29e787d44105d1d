import type { Route } from '../../server/router.ts';
import { ofUri, typedRoutes } from '../resources/typed-routes.ts';
import { readDescription } from './read.ts';
import type { Meta, MetaOptions } from './service.ts';
import { removeDescription, replaceDescription } from './write.ts';

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
