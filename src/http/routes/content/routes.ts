import type { Route } from '../../server/router.ts';
import { ofUri, typedRoutes } from '../resources/typed-routes.ts';
import { ContentReads } from './read.ts';
import type { Content, ContentOptions } from './service.ts';
import { ContentWrites } from './write.ts';

/** Routes for the content of resources (http-api 3.7). */
export function contentRoutes(content: Content, options: ContentOptions): Route[] {
  const reads = new ContentReads(content, options.base);
  const writes = new ContentWrites(content, options);
  return typedRoutes('/content', options.base, {
    typed: {
      GET: (request, resource, mime) => reads.read(request, resource, mime),
      PUT: (request, resource, mime) => ofUri(resource, (uri) => writes.put(request, uri, mime)),
    },
    plain: {
      GET: (_request, resource) => reads.redirect(resource),
      DELETE: (request, resource) => ofUri(resource, (uri) => writes.remove(request, uri)),
    },
  });
}
