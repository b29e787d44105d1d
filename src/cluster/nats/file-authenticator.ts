import { readFileSync } from 'node:fs';
import { type Authenticator, credsAuthenticator } from '@nats-io/transport-node';
import { AppError } from '../../errors.ts';

/**
 * Returns what logs in with a file of NATS credentials. The file is read again for each connection,
 * so credentials that were replaced are used from the next one on. A file that can't be read then
 * does not end the connection for good: the credentials of before are tried again. Throws
 * `unavailable` if the file can't be used now.
 */
export function fileAuthenticator(file: string): Authenticator {
  let usable = read(file);
  return (nonce) => {
    try {
      usable = read(file);
    } catch {
      // The log servers refuse the old ones if they are not valid any more.
    }
    return usable(nonce);
  };
}

function read(file: string): Authenticator {
  const authenticator = credsAuthenticator(contentOf(file));
  try {
    authenticator('');
  } catch (error) {
    throw new AppError(
      'unavailable',
      `The file of --nats-credentials ${file} has no credentials of NATS.`,
      {},
      error,
    );
  }
  return authenticator;
}

function contentOf(file: string): Uint8Array {
  try {
    return readFileSync(file);
  } catch (error) {
    const reason = (error as Error).message;
    throw new AppError(
      'unavailable',
      `The file of --nats-credentials ${file} can't be read: ${reason}.`,
      {},
      error,
    );
  }
}
