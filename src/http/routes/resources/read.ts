import type { ResourceName, ResourceView } from '../../../services/resources/existence.ts';
import type { Query } from '../../query.ts';
import { type Header, plainText } from '../../server/header.ts';
import { type FormattedHeaders, HeaderLines, HeaderTemplate } from '../../server/header-lines.ts';
import type { HandlerResult, HttpRequest } from '../../server/message.ts';
import { MetaLinks, ResourceAddress } from './link.ts';
import { chooseRepresentation, mimeOf, notAcceptableResponse, type Representation } from './negotiation.ts';
import type { ResourceOptions, Resources } from './service.ts';
import { resourceNotFound } from './target.ts';

/** Handles GET and HEAD: redirects to the representation that the client prefers. */
export class ResourceReads {
  readonly #resources: Resources;
  readonly #base: string;
  readonly #hasPages: boolean;
  readonly #redirects: Redirects;

  constructor(resources: Resources, { base, page }: Pick<ResourceOptions, 'base' | 'page'>) {
    this.#resources = resources;
    this.#base = base;
    this.#hasPages = page;
    this.#redirects = new Redirects(base);
  }

  redirect(request: HttpRequest, resource: ResourceName, query: Query): HandlerResult {
    const view = this.#resources.view(resource, request);
    if (!view) return resourceNotFound(resource);
    const { contentType } = view;
    const uri = resource.kind === 'uri' ? resource.uri : undefined;
    const offer = { contentType, page: this.#hasPages && uri !== undefined };
    const choice = chooseRepresentation(request.header('accept'), query.get('format'), offer);
    if (!choice) return notAcceptableResponse(contentType);
    const address = new ResourceAddress(resource, this.#base);
    if (choice.rel === 'page') return this.#toPage(address, uri!, view);
    const location = address.link(choice.rel, choice.mime);
    const lines = this.#redirects.lines(address, location, view, choice);
    return { status: 303, headers: none, lines, body: `See ${location}\n` };
  }

  /** */
  #toPage(address: ResourceAddress, uri: string, view: ResourceView): HandlerResult {
    const location = `${this.#base}/console/resource?uri=${encodeURIComponent(uri)}`;
    const lines = this.#redirects.toOther(address, location, view);
    return { status: 303, headers: none, lines, body: `See ${location}\n` };
  }
}

const none: readonly Header[] = [];

/**
 * Heads of redirects. Most redirects lead to metadata of a resource without content and differ only
 * in the resource.
 */
class Redirects {
  readonly #base: string;
  readonly #links: MetaLinks;
  /** Templates by the chosen type. */
  readonly #templates = new Map<string, HeaderTemplate>();

  constructor(base: string) {
    this.#base = base;
    this.#links = new MetaLinks(base);
  }

  lines(
    address: ResourceAddress,
    location: string,
    view: ResourceView,
    choice: Representation,
  ): FormattedHeaders {
    if (view.contentType !== undefined) {
      return new HeaderLines(redirectHeaders(location, alternates(this.#links, address, view, choice)));
    }
    let template = this.#templates.get(choice.mime);
    if (template === undefined) {
      template = this.#template(choice.mime);
      this.#templates.set(choice.mime, template);
    }
    return template.fill(address.suffix);
  }

  /** Returns the head of a redirect to what is not a representation. It links to all of them. */
  toOther(address: ResourceAddress, location: string, view: ResourceView): FormattedHeaders {
    return new HeaderLines(redirectHeaders(location, alternates(this.#links, address, view, undefined)));
  }

  #template(mime: string): HeaderTemplate {
    return new HeaderTemplate((suffix) =>
      redirectHeaders(`${this.#base}/meta/${mime}${suffix}`, this.#links.of({ suffix }, mime)),
    );
  }
}

function redirectHeaders(location: string, links: readonly Header[]): Header[] {
  return [['Location', location], plainText, ['Vary', 'Accept'], ...links, ['Cache-Control', 'no-cache']];
}

/** Returns links to all representations except the chosen one, if any, content first. */
function alternates(
  links: MetaLinks,
  address: ResourceAddress,
  { contentType }: ResourceView,
  chosen: Representation | undefined,
): Header[] {
  const metadata = links.of(address, chosen?.rel === 'meta' ? chosen.mime : '');
  return contentType === undefined || chosen?.rel === 'content'
    ? metadata
    : [contentLink(address, contentType), ...metadata];
}

/** Returns the `Link` to the content. */
export function contentLink(address: ResourceAddress, contentType: string): Header {
  const mime = mimeOf(contentType);
  return ['Link', `<${address.link('content', mime)}>; rel="content"; type="${mime}"`];
}
