/**
 * A process that was stopped may remove or rename a file after another one has taken its directory
 * over. So names that such a process could still use are never used again: they contain a token.
 */
import { randomBytes } from 'node:crypto';

const DRAFT = /^(?:\.[0-9a-f]+)?\.new$/;

/** Lower-case letters and digits that no other name has. */
export function newToken(): string {
  return randomBytes(8).toString('hex');
}

/** The name of a file that is to get another name when it is complete. */
export function draftOf(name: string): string {
  return `${name}.${newToken()}.new`;
}

/** Whether a name is that of a draft of a file, as this or an older release chose it. */
export function isDraftOf(name: string, draft: string): boolean {
  return draft.startsWith(name) && DRAFT.test(draft.slice(name.length));
}
