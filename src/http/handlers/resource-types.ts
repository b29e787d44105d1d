/** Top-level media types that are registered (RFC 6838 section 4.2 and later). */
const topLevel: ReadonlySet<string> = new Set([
  'application',
  'audio',
  'font',
  'haptics',
  'image',
  'message',
  'model',
  'multipart',
  'text',
  'video',
]);

/** A type or subtype (RFC 6838 section 4.2). */
const restrictedName = /^[A-Za-z0-9][A-Za-z0-9!#$&\-^_.+]{0,126}$/;

/** Whether `type/subtype` has a registered top-level type. */
export function isTopLevelType(mime: string): boolean {
  return topLevel.has(mime.slice(0, mime.indexOf('/')));
}

/** The path after `/meta/` or `/content/`. */
export interface TypedPath {
  /** `type/subtype` in lower case; undefined where the path names none. */
  readonly mime: string | undefined;
  /** What names a resource below `{base}/resource/`, as sent; empty for nothing. */
  readonly name: string;
}

/**
 * Tells a type from the first two segments of a local name (http-api 3.7). `queried`: a parameter names the resource, so
 * that two segments can be nothing but a type, of whatever kind.
 */
export function parseTypedPath(rest: string, queried: boolean): TypedPath {
  const [first = '', second = '', ...name] = rest.split('/');
  const mime = mimeOf(first, second);
  const clear = mime !== undefined && (isTopLevelType(mime) || (queried && name.join('') === ''));
  return clear ? { mime, name: name.join('/') } : { mime: undefined, name: rest };
}

function mimeOf(first: string, second: string): string | undefined {
  const type = decodeSegment(first);
  const subtype = decodeSegment(second);
  if (!restrictedName.test(type) || !restrictedName.test(subtype)) return undefined;
  return `${type}/${subtype}`.toLowerCase();
}

/** Empty for broken escapes. */
function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return '';
  }
}
