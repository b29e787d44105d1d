import { randomBytes } from 'node:crypto';
import { unseen } from '../nats/patience.ts';
import { ofExisting } from '../nats/streams.ts';
import type { Entries } from './entries.ts';

const KEY = 'secret';
const BYTES = 32;

/**
 * Returns the secret by which processes of the cluster recognise requests of one another. The first
 * process creates it.
 */
export async function sharedSecret(entries: Entries): Promise<string> {
  const secret = randomBytes(BYTES).toString('base64url');
  return ofExisting(async () => {
    const found = await entries.get(KEY);
    if (found) return found.value;
    if ((await entries.create(KEY, secret)) !== undefined) return secret;
    throw unseen('the secret of the cluster');
  });
}
