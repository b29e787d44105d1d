import type { Route } from '../../server/router.ts';
import { ofUri, typedRoutes } from '../resources/typed-routes.ts';
import { DescriptionReads } from './read.ts';
import type { Meta, MetaOptions } from './service.ts';
import { DescriptionWrites } from './write.ts';

/** Routes for descriptions of resources (http-api 3.6). */
export function metaRoutes(meta: Meta, { base, maxBytes }: MetaOptions): Route[] {
  const reads = new DescriptionReads(meta, base);
  const writes = new DescriptionWrites(meta, maxBytes);
  return typedRoutes('/meta', base, {
    typed: {
      GET: (request, resource, mime) => reads.read(request, resource, mime),
      PUT: (request, resource, mime) => ofUri(resource, (uri) => writes.replace(request, uri, mime)),
    },
    plain: {
      DELETE: (request, resource) => ofUri(resource, (uri) => writes.remove(request, uri)),
    },
  });
}
