import type { Route } from '../../server/router.ts';
import { ofUri, typedRoutes } from '../resources/typed-routes.ts';
import { descriptionOperations } from './operations.ts';
import { DescriptionReads } from './read.ts';
import type { Meta, MetaOptions } from './service.ts';
import { DescriptionWrites } from './write.ts';

/** Routes for descriptions of resources (http-api 3.6). */
export function metaRoutes(meta: Meta, options: MetaOptions): Route[] {
  const { base } = options;
  const reads = new DescriptionReads(meta, options);
  const writes = new DescriptionWrites(meta, options.maxBytes);
  return typedRoutes('/meta', base, {
    typed: {
      GET: {
        act: (request, resource, mime) => reads.read(request, resource, mime),
        operation: descriptionOperations.read,
      },
      PUT: {
        act: (request, resource, mime) => ofUri(resource, (uri) => writes.replace(request, uri, mime)),
        operation: descriptionOperations.replace,
      },
    },
    plain: {
      DELETE: {
        act: (request, resource) => ofUri(resource, (uri) => writes.remove(request, uri)),
        operation: descriptionOperations.remove,
      },
    },
  });
}
