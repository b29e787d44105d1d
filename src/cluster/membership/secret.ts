import { randomBytes } from 'node:crypto';
import type { Entries } from './entries.ts';

const KEY = 'secret';
const BYTES = 32;

/**
 * Returns the secret by which processes of the cluster recognise requests of one another. The first
 * process creates it.
 */
export async function sharedSecret(entries: Entries): Promise<string> {
  const found = await entries.get(KEY);
  if (found) return found.value;
  const secret = randomBytes(BYTES).toString('base64url');
  const created = await entries.create(KEY, secret);
  if (created !== undefined) return secret;
  const other = await entries.get(KEY);
  if (other) return other.value;
  throw new Error('The secret of the cluster was removed while it was read.');
}
