import { linkLines } from '../../http/headers/link-header.ts';
import type { Header } from '../../http/server/header.ts';
import { isContainer, type LdpKind } from '../model/kinds.ts';
import { describedBy, descriptionOf } from '../model/names.ts';
import { typesOf } from '../model/rdf-types.ts';
import { ldp } from '../model/vocabulary.ts';

const ACCEPT_POST =
  'text/turtle, application/ld+json, application/rdf+xml, application/n-triples, text/n3, */*';

/** Media types of patches (http-api 5.10). */
export const patchTypes: readonly string[] = ['application/sparql-update', 'application/rdf-patch'];

export const acceptPost: Header = ['Accept-Post', ACCEPT_POST];
export const acceptPatch: Header = ['Accept-Patch', patchTypes.join(', ')];

/**
 * The headers that state the type of an LDP resource and the operations that it supports (http-api
 * 5.2).
 */
export class LdpHeaders {
  readonly #root: string;
  readonly #constrainedBy: string;

  constructor(base: string) {
    this.#root = `${base}/ldp`;
    this.#constrainedBy = `<${base}/constraints/ldp>; rel="${ldp.constrainedBy}"`;
  }

  /** `kind`: undefined if the resource does not exist. */
  links(uri: string, kind: LdpKind | undefined): Header[] {
    if (kind === undefined) return [['Link', this.#constrainedBy]];
    return this.#linksWith(kind, relatedLinks(uri, kind));
  }

  /**
   * Returns the links for a newly created resource. `uri` may differ from the request's target,
   * whose kind is `kind` (http-api L-37).
   */
  createdLinks(uri: string, created: LdpKind, kind: LdpKind): Header[] {
    if (created !== 'binary') return this.#linksWith(kind, []);
    return this.#linksWith(kind, [`<${descriptionOf(uri)}>; rel="describedby"; anchor="${uri}"`]);
  }

  allow(uri: string, kind: LdpKind): Header {
    const post = isContainer(kind) ? 'POST, ' : '';
    const patch = kind === 'binary' ? '' : 'PATCH, ';
    const remove = kind === 'description' || uri === this.#root ? '' : 'DELETE, ';
    return ['Allow', `GET, HEAD, ${post}PUT, ${patch}${remove}OPTIONS`];
  }

  /** Returns the headers for GET, HEAD and OPTIONS. */
  all(uri: string, kind: LdpKind): Header[] {
    const headers = [...this.links(uri, kind), this.allow(uri, kind)];
    if (isContainer(kind)) headers.push(acceptPost);
    if (kind !== 'binary') headers.push(acceptPatch);
    return headers;
  }

  #linksWith(kind: LdpKind, related: readonly string[]): Header[] {
    return linkLines([...typeLinks(kind), ...related, this.#constrainedBy]);
  }
}

function typeLinks(kind: LdpKind): string[] {
  return typesOf(kind).map((type) => `<${type}>; rel="type"`);
}

function relatedLinks(uri: string, kind: LdpKind): string[] {
  if (kind === 'binary') return [`<${descriptionOf(uri)}>; rel="describedby"`];
  if (kind !== 'description') return [];
  const binary = describedBy(uri);
  return [`<${binary}>; rel="describes"`, `<${binary}>; rel="content"`];
}
