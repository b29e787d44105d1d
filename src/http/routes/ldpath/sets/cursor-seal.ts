import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Returns a key for seals, which no other process has. */
export function sealKey(): Buffer {
  return randomBytes(KEY_BYTES);
}

/**
 * Encrypts texts for clients that see the same graphs, so that they learn nothing from them, and
 * that others, or changed ones, are refused.
 */
export class CursorSeal {
  readonly #key: Buffer;
  readonly #clients: Buffer;

  /** `clients`: equal for clients that see the same graphs. */
  constructor(key: Buffer, clients: string) {
    this.#key = key;
    this.#clients = Buffer.from(clients);
  }

  close(text: string): string {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv(CIPHER, this.#key, iv).setAAD(this.#clients);
    const sealed = [iv, cipher.update(text), cipher.final(), cipher.getAuthTag()];
    return Buffer.concat(sealed).toString('base64url');
  }

  /** Returns undefined for what was not sealed with this key for these clients. */
  open(sealed: string): string | undefined {
    const bytes = Buffer.from(sealed, 'base64url');
    if (bytes.length < IV_BYTES + TAG_BYTES) return undefined;
    const iv = bytes.subarray(0, IV_BYTES);
    const decipher = createDecipheriv(CIPHER, this.#key, iv, { authTagLength: TAG_BYTES });
    decipher.setAAD(this.#clients).setAuthTag(bytes.subarray(-TAG_BYTES));
    try {
      const text = decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES));
      return Buffer.concat([text, decipher.final()]).toString();
    } catch {
      return undefined;
    }
  }
}
