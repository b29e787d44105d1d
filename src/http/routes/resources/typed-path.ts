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
  /** `type/subtype` in lower case; undefined if the path does not contain one. */
  readonly mime: string | undefined;
  /** The name of a resource below `{base}/resource/`, as sent; may be empty. */
  readonly name: string;
}

/**
 * Distinguishes a type from the first two segments of a local name (http-api 3.7). `queried`: a
 * parameter names the resource, so two segments can only be a type, registered or not.
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

/** Decodes a segment; returns an empty string if its escapes are malformed. */
function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return '';
  }
}
