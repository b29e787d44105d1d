import { readableTypes } from '../../rdf/media-types.ts';
import type { ResourceName } from '../../services/resource-index.ts';
import { isHostilePath } from './resource-target.ts';
import { isTopLevelType } from './resource-types.ts';

export type Rel = 'meta' | 'content';

/** RFC 3986 path characters. */
const pathCharacters = /^[A-Za-z0-9\-._~!$&'()*+,;=:@/%]+$/;

/**
 * What follows `{base}/{rel}/{mime}` in the addresses of one resource (http-api 3.2): a path where the resource's own URI
 * is one below `{base}/resource/`, else a query.
 */
export class ResourceAddress {
  /** What follows the types of metadata, all of which are registered. */
  readonly suffix: string;
  readonly #base: string;
  readonly #resource: ResourceName;
  /** Its URI, if it is in the LDP space, where nothing but a binary has content. */
  readonly #binary: string | undefined;

  constructor(resource: ResourceName, base: string) {
    this.#base = base;
    this.#resource = resource;
    const isLdp = resource.kind === 'uri' && isBelow(resource.uri, base, '/ldp/');
    this.#binary = isLdp ? resource.uri : undefined;
    this.suffix = (resource.kind === 'uri' && localPath(resource.uri, base)) || queryOf(resource);
  }

  /** The function `link`. `mime`: `type/subtype`, without parameters. With `content`: of a resource that has some. */
  link(rel: Rel, mime: string): string {
    if (rel === 'content' && this.#binary !== undefined) return this.#binary;
    // After a type that nobody registered, a path would be read as that of a resource.
    const suffix = rel === 'meta' || isTopLevelType(mime) ? this.suffix : queryOf(this.#resource);
    return `${this.#base}/${rel}/${mime}${suffix}`;
  }
}

/**
 * Values of `Link` with the metadata of a resource in every type, but for one perhaps. They differ in nothing but the
 * resource, so all else is made once.
 */
export class MetaLinks {
  readonly #base: string;
  readonly #pieces = new Map<string, readonly string[]>();

  constructor(base: string) {
    this.#base = base;
  }

  /** `but`: the canonical type that is left out, if it is one. */
  of(address: Pick<ResourceAddress, 'suffix'>, but: string): string {
    const key = readableTypes.includes(but) ? but : '';
    let pieces = this.#pieces.get(key);
    if (pieces === undefined) {
      pieces = this.#piecesWithout(key);
      this.#pieces.set(key, pieces);
    }
    return pieces.join(address.suffix);
  }

  /** What stands before, between and after the addresses' ends. */
  #piecesWithout(but: string): string[] {
    const types = readableTypes.filter((type) => type !== but);
    const beginnings = types.map((type) => `<${this.#base}/meta/${type}`);
    const ends = types.map((type) => `>; rel="meta"; type="${type}"`);
    return [
      beginnings[0]!,
      ...beginnings.slice(1).map((beginning, i) => `${ends[i]}, ${beginning}`),
      ends.at(-1)!,
    ];
  }
}

function queryOf(resource: ResourceName): string {
  return resource.kind === 'blank'
    ? `?genid=${encodeURIComponent(resource.label)}`
    : `?uri=${encodeURIComponent(resource.uri)}`;
}

const LOCAL = '/resource/';

/** Without putting a string together, since it is asked for every redirect. */
function isBelow(uri: string, base: string, folder: string): boolean {
  return uri.startsWith(base) && uri.startsWith(folder, base.length);
}

/** Undefined for a URI that no path below `/meta/{mime}` stands for. */
function localPath(uri: string, base: string): string | undefined {
  if (!isBelow(uri, base, LOCAL)) return undefined;
  const rest = uri.slice(base.length + LOCAL.length);
  return pathCharacters.test(rest) && !isHostilePath(rest) ? `/${rest}` : undefined;
}
