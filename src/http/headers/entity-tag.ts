/** Returns a strong entity tag for one representation of a stored state (G-71). */
export function formatEntityTag(state: string, variant: string): string {
  return `"${state}-${variant}"`;
}

const PACKED = '.gz';

/** Returns the tag of the gzip variant of the same representation (G-63). */
export function compressedTag(tag: string): string {
  return `${tag.slice(0, -1)}${PACKED}"`;
}

/**
 * Returns the part between the quotes of the identity variant's tag, for a tag of either variant.
 */
export function decodedOpaque({ opaque }: EntityTag): string {
  return opaque.endsWith(PACKED) ? opaque.slice(0, -PACKED.length) : opaque;
}

/** The tags that a condition names: `*` for any, or the well-formed ones. */
export type TagList = '*' | readonly EntityTag[];

export interface EntityTag {
  readonly weak: boolean;
  /** Without the quotes. */
  readonly opaque: string;
}

/**
 * Parses `If-Match` or `If-None-Match` (RFC 9110 section 13.1). Malformed entity tags are left out.
 */
export function parseTagList(header: string): TagList {
  if (header.trim() === '*') return '*';
  return Array.from(header.matchAll(/(W\/)?"([\x21\x23-\x7e\x80-\u{10ffff}]*)"/gu), (match) => ({
    weak: match[1] !== undefined,
    opaque: match[2]!,
  }));
}

/** Returns the part of a tag that identifies the stored state (G-71). */
export function stateOf(tag: EntityTag): string {
  const hyphen = tag.opaque.indexOf('-');
  return hyphen === -1 ? tag.opaque : tag.opaque.slice(0, hyphen);
}
