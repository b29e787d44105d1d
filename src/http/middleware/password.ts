import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

/**
 * A stored password: its scrypt key (RFC 7914) and the parameters and salt that the key was made
 * with.
 */
export interface PasswordHash {
  /** Binary logarithm of scrypt's N. */
  readonly logCost: number;
  readonly blockSize: number;
  readonly parallelism: number;
  readonly salt: Buffer;
  readonly key: Buffer;
}

type Cost = Pick<PasswordHash, 'logCost' | 'blockSize' | 'parallelism'>;

/**
 * 16 MiB and about 0.2 s. It is one of OWASP's equivalent recommendations, the one with the
 * second-lowest memory use.
 */
const defaultCost: Cost = { logCost: 14, blockSize: 8, parallelism: 5 };
const MAX_MEMORY = 256 * 1024 * 1024;
const SALT_BYTES = 16;
const KEY_BYTES = 32;

/** Returns `scrypt:LOG_N:R:P:SALT:KEY`, with the salt and the key in base64url. */
export async function hashPassword(password: string, cost: Cost = defaultCost): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const key = await derive(password, salt, KEY_BYTES, optionsOf(cost));
  const { logCost, blockSize, parallelism } = cost;
  return [
    'scrypt',
    logCost,
    blockSize,
    parallelism,
    salt.toString('base64url'),
    key.toString('base64url'),
  ].join(':');
}

/** Returns undefined if the text is not such a hash or needs more than 256 MiB. */
export function parsePasswordHash(text: string): PasswordHash | undefined {
  const match = /^scrypt:(\d{1,2}):(\d{1,2}):(\d{1,2}):([\w-]{11,86}):([\w-]{43})$/.exec(text);
  if (!match) return undefined;
  const [logCost, blockSize, parallelism] = match.slice(1, 4).map(Number) as [number, number, number];
  const salt = Buffer.from(match[4]!, 'base64url');
  const key = Buffer.from(match[5]!, 'base64url');
  const hash = { logCost, blockSize, parallelism, salt, key };
  const usable = logCost > 0 && blockSize > 0 && parallelism > 0 && memoryOf(hash) <= MAX_MEMORY;
  return usable ? hash : undefined;
}

/** Takes the same time whether the password is right or wrong. */
export async function verifyPassword(password: string, hash: PasswordHash): Promise<boolean> {
  return timingSafeEqual(await derive(password, hash.salt, hash.key.length, optionsOf(hash)), hash.key);
}

function optionsOf(cost: Cost): ScryptOptions {
  const { logCost, blockSize: r, parallelism: p } = cost;
  return { N: 2 ** logCost, r, p, maxmem: 2 * memoryOf(cost) };
}

function memoryOf({ logCost, blockSize, parallelism }: Cost): number {
  return 128 * blockSize * (2 ** logCost + parallelism + 2);
}
