import { type Failure, failure, type Result } from '../../errors.ts';

/** The resource that a path below `/ldp` names. */
export interface LdpPath {
  /**
   * The part of its URI after the root container: empty, or segments that each begin with a slash.
   */
  readonly path: string;
  /**
   * Whether the request path ends with a slash, which no LDP resource's URI does (http-api L-3).
   */
  readonly slash: boolean;
}

/** Characters. A longer URI would not fit into the headers that contain it. */
const MAX_PATH = 8192;

/** Matches most paths: they need no normalisation. */
const plain = /^(?:\/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)*$/;
const segmentForm = /^(?:[A-Za-z0-9\-._~!$&'()*+,;=:@]|%[0-9A-F]{2})+$/;
const unreserved = /[A-Za-z0-9\-._~]/;
const escapedControl = /%(?:[01][0-9A-F]|7F)/;
/** Escapes that a proxy may decode to a separator between two segments. */
const hiddenSlash = /%2F|%5C/;

/** Normalises the part of a request path after `/ldp` (http-api L-4). Error `bad-path`. */
export function parseLdpPath(rest: string): Result<LdpPath> {
  if (rest.length > MAX_PATH) return badPath(`A path must not exceed ${MAX_PATH} characters.`);
  if (plain.test(rest)) return { ok: true, value: { path: rest, slash: false } };
  const slash = rest.endsWith('/');
  const segments = rest
    .slice(0, slash ? -1 : undefined)
    .split('/')
    .map(normalSegment);
  // The part before the first slash is empty.
  if (segments.slice(1).some((segment) => !isName(segment))) {
    return badPath('The path has empty or dot segments, invalid escapes or characters not allowed in a URI.');
  }
  return { ok: true, value: { path: segments.join('/'), slash } };
}

function normalSegment(segment: string): string {
  return segment.replaceAll(/%([0-9A-Fa-f]{2})/g, (escaped, hex: string) => {
    const character = String.fromCharCode(Number.parseInt(hex, 16));
    return unreserved.test(character) ? character : escaped.toUpperCase();
  });
}

function isName(segment: string): boolean {
  return (
    segmentForm.test(segment) &&
    !escapedControl.test(segment) &&
    !segment.split(hiddenSlash).some((part) => part === '.' || part === '..')
  );
}

function badPath(message: string): Failure {
  return failure('bad-path', message);
}
