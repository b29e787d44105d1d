import type { ResourceName } from '../../services/resource-index.ts';
import type { HttpReply, HttpRequest } from '../message.ts';
import { problemReply } from '../problem.ts';
import type { Route } from '../router.ts';
import { readContent, redirectToContent } from './content-read.ts';
import type { Content, ContentOptions } from './content-service.ts';
import { putContent, removeContent } from './content-write.ts';
import { MetaLinks } from './resource-link.ts';
import { missingResource } from './resource-target.ts';
import { typedRoutes } from './resource-typed-routes.ts';

/** Content of resources (http-api 3.7). */
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

/** Blank nodes can be read only. */
function ofUri(
  request: HttpRequest,
  resource: ResourceName,
  act: (uri: string) => Promise<HttpReply>,
): HttpReply | Promise<HttpReply> {
  return resource.kind === 'uri' ? act(resource.uri) : problemReply(missingResource(), request);
}
