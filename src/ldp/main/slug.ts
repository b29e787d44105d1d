import mime from 'mime/lite';

/** The names that a resource may have, the first of which that is free it gets: `a.png`, `a-1.png`, `a-2.png`, … */
export interface NameForm {
  readonly stem: string;
  /** With its dot; empty for none. */
  readonly extension: string;
}

const MAX_LENGTH = 128;
const extensionForm = /\.[A-Za-z0-9]+$/;

/**
 * The names that a `Slug` stands for (http-api L-31, L-32); undefined where it leaves nothing. `mediaType`: of a binary,
 * `type/subtype`; null for an RDF source.
 */
export function namesFromSlug(slug: string, mediaType: string | null): NameForm | undefined {
  const text = decoded(slug)
    .trim()
    .replaceAll(/[^A-Za-z0-9_.-]+/g, '-')
    .replace(/^\.+/, '');
  // Cutting may bring the reserved ending to light.
  const stem = withoutMeta(withoutMeta(text).slice(0, MAX_LENGTH));
  if (stem === '') return undefined;
  const known = mediaType === null || extensionForm.test(stem) ? null : mime.getExtension(mediaType);
  return { stem, extension: known === null ? '' : `.${known}` };
}

/** The name of a resource after `count` others had the same. */
export function nameAt({ stem, extension }: NameForm, count: number): string {
  return count === 0 ? stem + extension : `${stem}-${count}${extension}`;
}

/** Such names belong to descriptions of binaries (http-api L-5). */
function withoutMeta(name: string): string {
  return name.replace(/\.meta$/, '-meta');
}

/** Where escapes are no UTF-8 they are taken as they are. */
function decoded(slug: string): string {
  try {
    return decodeURIComponent(slug);
  } catch {
    return slug;
  }
}
