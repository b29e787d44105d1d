import { createHash, randomBytes } from 'node:crypto';
import { AppError } from '../errors.ts';
import type { Disk } from '../journal/disk.ts';
import { readText, writeDurably } from '../journal/durable-file.ts';

/**
 * Who a data set is. The name goes into entity tags, so that tags of a data set that was wiped, or kept in memory
 * only, never come true for another one (http-api G-72).
 */
export interface Identity {
  /** Eight letters and digits. */
  readonly name: string;
  /** When the data set was made, milliseconds since 1970. */
  readonly created: number;
}

const FILE = 'identity.json';

/** An identity that no other data set has. `now`: milliseconds since 1970. */
export function newIdentity(now: number): Identity {
  const name = BigInt(`0x${randomBytes(8).toString('hex')}`)
    .toString(36)
    .padStart(8, '0')
    .slice(-8);
  return { name, created: now };
}

/** The `<state>` of an entity tag (http-api G-71): letters and digits only. */
export function stateOf(identity: Identity, sequence: number): string {
  return identity.name + sequence.toString(36);
}

/** Whether a data directory has an identity. It gets one when it is opened for the first time. */
export async function hasIdentity(disk: Disk): Promise<boolean> {
  return (await disk.list('')).includes(FILE);
}

/** The identity of a data directory; a new directory gets one. Error `data-damaged`. */
export async function readIdentity(disk: Disk, now: number): Promise<Identity> {
  if (await hasIdentity(disk)) return parseIdentity(await readText(disk, FILE));
  return writeIdentity(disk, newIdentity(now));
}

/** Another name for the same data set. */
export function renewIdentity(disk: Disk, { created }: Identity): Promise<Identity> {
  return writeIdentity(disk, newIdentity(created));
}

async function writeIdentity(disk: Disk, identity: Identity): Promise<Identity> {
  const { name, created } = identity;
  await writeDurably(disk, FILE, `${JSON.stringify({ name, created, digest: digestOf(identity) })}\n`);
  return identity;
}

/** Older directories have no digest. */
function parseIdentity(text: string): Identity {
  const { name, created, digest } = parseObject(text);
  if (typeof name === 'string' && /^[a-z0-9]{8}$/.test(name) && typeof created === 'number') {
    const identity = { name, created };
    if (digest === undefined || digest === digestOf(identity)) return identity;
  }
  const advice = 'Restore it from a backup of this directory, or remove it: the next start makes a new one.';
  throw new AppError('data-damaged', `${FILE} is damaged: ${JSON.stringify(text.slice(0, 100))}. ${advice}`);
}

function digestOf({ name, created }: Identity): string {
  return createHash('sha256').update(`${name} ${created}`).digest('hex');
}

function parseObject(text: string): Partial<Record<keyof Identity | 'digest', unknown>> {
  try {
    return { ...(JSON.parse(text) as object) };
  } catch {
    return {};
  }
}
