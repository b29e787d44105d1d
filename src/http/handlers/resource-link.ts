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
  readonly #base: string;
  readonly #path: string | undefined;
  readonly #query: string;

  constructor(resource: ResourceName, base: string) {
    this.#base = base;
    if (resource.kind === 'blank') {
      this.#query = `?genid=${encodeURIComponent(resource.label)}`;
    } else {
      this.#query = `?uri=${encodeURIComponent(resource.uri)}`;
      this.#path = localPath(resource.uri, base);
    }
  }

  /** The function `link`. `mime`: `type/subtype`, without parameters. */
  link(rel: Rel, mime: string): string {
    // After a type that nobody registered, a path would be read as that of a resource.
    const suffix = this.#path !== undefined && isTopLevelType(mime) ? this.#path : this.#query;
    return `${this.#base}/${rel}/${mime}${suffix}`;
  }
}

/** Undefined for a URI that no path below `/meta/{mime}` stands for. */
function localPath(uri: string, base: string): string | undefined {
  const prefix = `${base}/resource/`;
  if (!uri.startsWith(prefix)) return undefined;
  const rest = uri.slice(prefix.length);
  return pathCharacters.test(rest) && !isHostilePath(rest) ? `/${rest}` : undefined;
}
