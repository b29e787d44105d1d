import { readableTypes } from '../../../rdf/media-types/media-types.ts';
import type { ResourceName } from '../../../services/resources/existence.ts';
import type { Header } from '../../server/header.ts';
import { isHostilePath } from './target.ts';
import { isTopLevelType } from './typed-path.ts';

export type Rel = 'meta' | 'content';

/** Path characters of RFC 3986. */
const pathCharacters = /^[A-Za-z0-9\-._~!$&'()*+,;=:@/%]+$/;

/**
 * The addresses of the representations of one resource (http-api 3.2). The part after
 * `{base}/{rel}/{mime}` is a path if the resource's own URI is below `{base}/resource/`, otherwise
 * a query.
 */
export class ResourceAddress {
  /** The part of the address after the type of metadata. All those types are registered. */
  readonly suffix: string;
  readonly #base: string;
  readonly #resource: ResourceName;
  /** The resource's URI if it is an LDP resource: among these, only binaries have content. */
  readonly #binary: string | undefined;

  constructor(resource: ResourceName, base: string) {
    this.#base = base;
    this.#resource = resource;
    const isLdp = resource.kind === 'uri' && isBelow(resource.uri, base, '/ldp/');
    this.#binary = isLdp ? resource.uri : undefined;
    this.suffix = (resource.kind === 'uri' && localPath(resource.uri, base)) || queryOf(resource);
  }

  /**
   * The function `link`. `mime`: `type/subtype`, without parameters. For `content` the resource
   * must have content.
   */
  link(rel: Rel, mime: string): string {
    if (rel === 'content' && this.#binary !== undefined) return this.#binary;
    // After an unregistered type, the path would be read as that of a resource.
    const suffix = rel === 'meta' || isTopLevelType(mime) ? this.suffix : queryOf(this.#resource);
    return `${this.#base}/${rel}/${mime}${suffix}`;
  }
}

/**
 * The `Link` headers for the metadata of a resource in all types, or in all types except one. They
 * differ only in the resource, so everything else is built once.
 */
export class MetaLinks {
  readonly #links: readonly MetaLink[];

  constructor(base: string) {
    this.#links = readableTypes.map((type) => ({
      type,
      beginning: `<${base}/meta/${type}`,
      end: `>; rel="meta"; type="${type}"`,
    }));
  }

  /** `but`: the canonical type to leave out, or another text to leave none out. */
  of({ suffix }: Pick<ResourceAddress, 'suffix'>, but: string): Header[] {
    const headers: Header[] = [];
    for (const { type, beginning, end } of this.#links) {
      if (type !== but) headers.push(['Link', beginning + suffix + end]);
    }
    return headers;
  }
}

/** The parts of a link before and after the suffix of the address. */
interface MetaLink {
  readonly type: string;
  readonly beginning: string;
  readonly end: string;
}

function queryOf(resource: ResourceName): string {
  return resource.kind === 'blank'
    ? `?genid=${encodeURIComponent(resource.label)}`
    : `?uri=${encodeURIComponent(resource.uri)}`;
}

const LOCAL = '/resource/';

/** Whether a URI is in a folder. It avoids concatenation, because every redirect calls it. */
function isBelow(uri: string, base: string, folder: string): boolean {
  return uri.startsWith(base) && uri.startsWith(folder, base.length);
}

/** Returns the local path of a URI, or undefined if no path below `/meta/{mime}` addresses it. */
function localPath(uri: string, base: string): string | undefined {
  if (!isBelow(uri, base, LOCAL)) return undefined;
  const rest = uri.slice(base.length + LOCAL.length);
  return pathCharacters.test(rest) && !isHostilePath(rest) ? `/${rest}` : undefined;
}
