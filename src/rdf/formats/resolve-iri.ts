/** The parts of an IRI reference (RFC 3986 appendix B); undefined for missing ones. */
interface Parts {
  readonly scheme: string | undefined;
  readonly authority: string | undefined;
  readonly path: string;
  readonly query: string | undefined;
  readonly fragment: string | undefined;
}

const reference = /^(?:([A-Za-z][A-Za-z0-9+.-]*):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s;

/**
 * Resolves an IRI reference against an absolute base (RFC 3986 section 5.2). Nothing is normalised
 * beyond that.
 */
export function resolveIri(relative: string, base: string): string {
  const parts = split(relative);
  // Like parsers of Turtle, this returns an absolute IRI unchanged.
  return parts.scheme === undefined ? join(resolved(parts, split(base))) : relative;
}

/**
 * Returns a base without dot segments before the last segment of its path. One without a scheme
 * will itself be resolved, so its last segment is treated alike. A relative path is returned
 * unchanged, since its meaning depends on what it is resolved against.
 */
export function withoutInnerDots(base: string): string {
  const parts = split(base);
  const { scheme, path } = parts;
  if (scheme === undefined) {
    return path.startsWith('/') ? join({ ...parts, path: withoutDots(path) }) : base;
  }
  const last = path.lastIndexOf('/') + 1;
  return join({ ...parts, path: withoutDots(path.slice(0, last)) + path.slice(last) });
}

function split(text: string): Parts {
  const [, scheme, authority, path, query, fragment] = reference.exec(text)!;
  return { scheme, authority, path: path!, query, fragment };
}

function resolved(relative: Parts, base: Parts): Parts {
  const { scheme } = base;
  const { query, fragment } = relative;
  if (relative.authority !== undefined) {
    return { scheme, authority: relative.authority, path: withoutDots(relative.path), query, fragment };
  }
  const { authority } = base;
  if (relative.path === '')
    return { scheme, authority, path: base.path, query: query ?? base.query, fragment };
  const path = relative.path.startsWith('/') ? relative.path : merged(relative.path, base);
  return { scheme, authority, path: withoutDots(path), query, fragment };
}

function merged(path: string, base: Parts): string {
  if (base.authority !== undefined && base.path === '') return `/${path}`;
  return base.path.slice(0, base.path.lastIndexOf('/') + 1) + path;
}

/** RFC 3986 section 5.2.4. */
function withoutDots(path: string): string {
  const segments = path.split('/');
  const last = segments.at(-1);
  const kept: string[] = [];
  for (const segment of segments) {
    if (segment === '..') {
      // Before the first slash of an absolute path there is no segment to remove.
      if (kept.length > 1 || (kept.length === 1 && kept[0] !== '')) kept.pop();
    } else if (segment !== '.') {
      kept.push(segment);
    }
  }
  if (last === '.' || last === '..') kept.push('');
  return kept.join('/');
}

function join({ scheme, authority, path, query, fragment }: Parts): string {
  return [
    scheme === undefined ? '' : `${scheme}:`,
    authority === undefined ? '' : `//${authority}`,
    // Otherwise what follows the slashes would be read as an authority.
    authority === undefined && path.startsWith('//') ? `/.${path}` : path,
    query === undefined ? '' : `?${query}`,
    fragment === undefined ? '' : `#${fragment}`,
  ].join('');
}
