import type { ResourceName, ResourceView } from '../../services/resource-index.ts';
import type { Header, HttpReply, HttpRequest } from '../message.ts';
import { problemReply } from '../problem.ts';
import type { Query } from '../query.ts';
import { type MetaLinks, ResourceAddress } from './resource-link.ts';
import {
  chooseRepresentation,
  mimeOf,
  notAcceptableReply,
  type Representation,
} from './resource-negotiation.ts';
import type { Resources } from './resource-service.ts';
import { resourceNotFound } from './resource-target.ts';

/** GET and HEAD: where the representation is that the client wants. */
export function redirectToRepresentation(
  resources: Resources,
  base: string,
  links: MetaLinks,
  request: HttpRequest,
  resource: ResourceName,
  query: Query,
): HttpReply {
  const view = resources.view(resource);
  if (!view) return problemReply(resourceNotFound(resource), request);
  const choice = chooseRepresentation(request.header('accept'), query.get('format'), view.contentType);
  if (!choice) return notAcceptableReply(view.contentType);
  const address = new ResourceAddress(resource, base);
  const location = address.link(choice.rel, choice.mime);
  const headers: Header[] = [
    ['Location', location],
    ['Content-Type', 'text/plain; charset=utf-8'],
    ['Vary', 'Accept'],
    ['Link', alternates(links, address, view, choice)],
    ['Cache-Control', 'no-cache'],
  ];
  return { status: 303, headers, body: `See ${location}\n` };
}

/** All that is available but the one chosen, content first. */
function alternates(
  links: MetaLinks,
  address: ResourceAddress,
  { contentType }: ResourceView,
  chosen: Representation,
): string {
  const metadata = links.of(address, chosen.rel === 'meta' ? chosen.mime : '');
  return contentType === undefined || chosen.rel === 'content'
    ? metadata
    : `${contentLink(address, contentType)}, ${metadata}`;
}

/** The `Link` that leads to the content. */
export function contentLink(address: ResourceAddress, contentType: string): string {
  const mime = mimeOf(contentType);
  return `<${address.link('content', mime)}>; rel="content"; type="${mime}"`;
}
