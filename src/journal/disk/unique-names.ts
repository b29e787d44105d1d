/**
 * A suspended process may remove or rename a file after another one has taken its directory over.
 * So names that such a process could still use are never used again: they contain a token.
 */
import { randomBytes } from 'node:crypto';

const DRAFT = /^(?:\.[0-9a-f]+)?\.new$/;

/** Returns a random token of lower-case letters and digits for a unique name. */
export function newToken(): string {
  return randomBytes(8).toString('hex');
}

/** Returns the name of a draft, which is renamed when it is complete. */
export function draftOf(name: string): string {
  return `${name}.${newToken()}.new`;
}

/**
 * Whether `draft` is the name of a draft of this file, in the format of this or an older release.
 */
export function isDraftOf(name: string, draft: string): boolean {
  return draft.startsWith(name) && DRAFT.test(draft.slice(name.length));
}
