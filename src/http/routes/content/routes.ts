import type { Route } from '../../server/router.ts';
import { MetaLinks } from '../resources/link.ts';
import { ofUri, typedRoutes } from '../resources/typed-routes.ts';
import { readContent, redirectToContent } from './read.ts';
import type { Content, ContentOptions } from './service.ts';
import { putContent, removeContent } from './write.ts';

/** Routes for the content of resources (http-api 3.7). */
export function contentRoutes(content: Content, options: ContentOptions): Route[] {
  const links = new MetaLinks(options.base);
  return typedRoutes('/content', options.base, {
    typed: {
      GET: (request, resource, mime) => readContent(content, options.base, links, request, resource, mime),
      PUT: (request, resource, mime) =>
        ofUri(request, resource, (uri) => putContent(content, options, request, uri, mime)),
    },
    plain: {
      GET: (request, resource) => redirectToContent(content, options.base, request, resource),
      DELETE: (request, resource) => ofUri(request, resource, (uri) => removeContent(content, request, uri)),
    },
  });
}
