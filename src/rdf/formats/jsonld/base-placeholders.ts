import { randomBytes } from 'node:crypto';
import { withoutInnerDots } from '../resolve-iri.ts';

/** The folder of a base: what precedes the last segment of its path. */
interface Folder {
  /** Without dot segments, with the placeholder at its end. */
  readonly plain: string;
  readonly stated: string;
}

/** An IRI up to the last slash of its path. */
const folder = /^[A-Za-z][A-Za-z0-9+.-]*:[^?#]*\//;

/**
 * Bases without dot segments before their last segment. RFC 3986 removes these from a path that is
 * resolved against a base, and Oxigraph does not. But a reference without a path, as `#a`, keeps
 * the whole path of the base, so the last segment gets a placeholder in front, which remains only
 * in such IRIs.
 */
export class BasePlaceholders {
  /** In no document, since it is random. */
  readonly #name = `p${randomBytes(12).toString('hex')}`;
  readonly #placeholder = new RegExp(`${this.#name}-(\\d+)-`, 'g');
  readonly #bases = new Map<string, string>();
  readonly #folders: Folder[] = [];

  /** Returns what the parser receives in place of a base. */
  plain(base: string): string {
    const known = this.#bases.get(base) ?? this.#newPlain(base);
    this.#bases.set(base, known);
    return known;
  }

  /** Returns a text of the parser with the folders that the document states. */
  restored(text: string): string {
    if (this.#folders.length === 0 || !text.includes(this.#name)) return text;
    let restored = text;
    for (const [, index] of text.matchAll(this.#placeholder)) {
      const { plain, stated } = this.#folders[Number(index)]!;
      restored = restored.replaceAll(plain, () => stated);
    }
    return restored;
  }

  #newPlain(base: string): string {
    const plain = withoutInnerDots(base);
    const stated = folder.exec(base)?.[0];
    // A base without a scheme will itself be resolved, which removes its dot segments.
    if (plain === base || stated === undefined) return plain;
    const last = base.slice(stated.length);
    const marked = `${plain.slice(0, plain.length - last.length)}${this.#name}-${this.#folders.length}-`;
    this.#folders.push({ plain: marked, stated });
    return marked + last;
  }
}
