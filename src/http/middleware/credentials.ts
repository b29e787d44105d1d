import { type PasswordHash, parsePasswordHash } from './password.ts';

/** `read` allows GET, HEAD, OPTIONS, and POST below `/ldpath`; `write` allows everything (G-4). */
export type Role = 'read' | 'write';

export interface Credential {
  readonly role: Role;
  readonly name: string;
  readonly hash: PasswordHash;
}

/**
 * Parses one credential, `ROLE NAME HASH`, with a hash as `hashPassword` makes it. Throws an error
 * that describes the mistake.
 */
export function parseCredential(line: string): Credential {
  const [role, name, hashText, ...more] = line.trim().split(/\s+/);
  if (role !== 'read' && role !== 'write') throw new Error("it must begin with 'read' or 'write'");
  if (name === undefined || !/^[\w@-]{1,64}$/.test(name)) {
    throw new Error('a name consists of at most 64 letters, digits, _, @ and -');
  }
  const hash = parsePasswordHash(hashText ?? '');
  if (!hash || more.length > 0) throw new Error("the last part must be what 'hash-password' prints");
  return { role, name, hash };
}

/**
 * Parses lines of credentials. Empty lines and those that begin with `#` are skipped. Errors name
 * the line.
 */
export function parseCredentials(text: string): Credential[] {
  const credentials: Credential[] = [];
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (/^\s*(#|$)/.test(line)) continue;
    try {
      credentials.push(parseCredential(line));
    } catch (error) {
      throw new Error(`line ${index + 1}: ${(error as Error).message}`);
    }
  }
  return credentials;
}
