import mime from 'mime/lite';

/**
 * The possible names of a resource; it gets the first free one: `a.png`, `a-1.png`, `a-2.png`, …
 */
export interface NameForm {
  readonly stem: string;
  /** Includes the dot; empty if there is no extension. */
  readonly extension: string;
}

const MAX_LENGTH = 128;
const extensionForm = /\.[A-Za-z0-9]+$/;

/**
 * Returns the names for a `Slug` (http-api L-31, L-32); undefined if no character of it can be
 * used. `mediaType`: of a binary, as `type/subtype`; null for an RDF source.
 */
export function namesFromSlug(slug: string, mediaType: string | null): NameForm | undefined {
  const text = decoded(slug)
    .trim()
    .replaceAll(/[^A-Za-z0-9_.-]+/g, '-')
    .replace(/^\.+/, '');
  // Truncation may expose the reserved ending.
  const stem = withoutMeta(withoutMeta(text).slice(0, MAX_LENGTH));
  if (stem === '') return undefined;
  const known = mediaType === null || extensionForm.test(stem) ? null : mime.getExtension(mediaType);
  return { stem, extension: known === null ? '' : `.${known}` };
}

/** Returns the name of a resource when `count` others already have the same name. */
export function nameAt({ stem, extension }: NameForm, count: number): string {
  return count === 0 ? stem + extension : `${stem}-${count}${extension}`;
}

/** Names with this ending are reserved for descriptions of binaries (http-api L-5). */
function withoutMeta(name: string): string {
  return name.replace(/\.meta$/, '-meta');
}

/** Keeps the escapes if they are not valid UTF-8. */
function decoded(slug: string): string {
  try {
    return decodeURIComponent(slug);
  } catch {
    return slug;
  }
}
