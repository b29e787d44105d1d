import type { Route } from '../../server/router.ts';
import { ofUri, typedRoutes } from '../resources/typed-routes.ts';
import { contentOperations } from './operations.ts';
import { ContentReads } from './read.ts';
import type { Content, ContentOptions } from './service.ts';
import { ContentWrites } from './write.ts';

/** Routes for the content of resources (http-api 3.7). */
export function contentRoutes(content: Content, options: ContentOptions): Route[] {
  const reads = new ContentReads(content, options.base);
  const writes = new ContentWrites(content, options);
  return typedRoutes('/content', options.base, {
    typed: {
      GET: {
        act: (request, resource, mime) => reads.read(request, resource, mime),
        operation: contentOperations.read,
      },
      PUT: {
        act: (request, resource, mime) => ofUri(resource, (uri) => writes.put(request, uri, mime)),
        operation: contentOperations.put,
      },
    },
    plain: {
      GET: {
        act: (request, resource) => reads.redirect(request, resource),
        operation: contentOperations.redirect,
      },
      DELETE: {
        act: (request, resource) => ofUri(resource, (uri) => writes.remove(request, uri)),
        operation: contentOperations.remove,
      },
    },
  });
}
