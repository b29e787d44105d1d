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

export const identityFile = 'identity.json';

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
  return (await disk.list('')).includes(identityFile);
}

/** The identity of a data directory; a new directory gets one. Error `data-damaged`. */
export async function readIdentity(disk: Disk, now: number): Promise<Identity> {
  if (!(await hasIdentity(disk))) return writeIdentity(disk, newIdentity(now), true);
  const { name, created } = await readFile(disk);
  return { name, created };
}

/**
 * Whether the identity proves that there was a journal file: it was written after that. Older
 * releases wrote it before.
 */
export async function provesJournal(disk: Disk): Promise<boolean> {
  if (!(await hasIdentity(disk))) return false;
  return parseIdentity(await readText(disk, identityFile))?.journal ?? false;
}

/** What is wrong with the identity of a data directory. */
export async function identityDamage(disk: Disk): Promise<string | undefined> {
  if (!(await hasIdentity(disk))) return undefined;
  const text = await readText(disk, identityFile);
  return parseIdentity(text) ? undefined : describeDamage(text);
}

/** Another name for the same data set. Error `data-damaged`. */
export async function renewIdentity(disk: Disk): Promise<Identity> {
  const { created, journal } = await readFile(disk);
  return writeIdentity(disk, newIdentity(created), journal);
}

/** What the file says. */
interface StoredIdentity extends Identity {
  readonly journal: boolean;
}

async function writeIdentity(disk: Disk, { name, created }: Identity, journal: boolean): Promise<Identity> {
  const digest = digestOf({ name, created, journal });
  const members = { name, created, ...(journal && { journal }), digest };
  await writeDurably(disk, identityFile, `${JSON.stringify(members)}\n`);
  return { name, created };
}

async function readFile(disk: Disk): Promise<StoredIdentity> {
  const text = await readText(disk, identityFile);
  const identity = parseIdentity(text);
  if (!identity) throw new AppError('data-damaged', describeDamage(text));
  return identity;
}

/** Undefined when it is damaged. Older directories have no digest. */
function parseIdentity(text: string): StoredIdentity | undefined {
  const { name, created, journal = false, digest } = parseObject(text);
  const isSound =
    typeof name === 'string' &&
    /^[a-z0-9]{8}$/.test(name) &&
    typeof created === 'number' &&
    typeof journal === 'boolean';
  if (!isSound) return undefined;
  const identity = { name, created, journal };
  return digest === undefined || digest === digestOf(identity) ? identity : undefined;
}

function describeDamage(text: string): string {
  const advice = 'Restore it from a backup of this directory, or remove it: the next start makes a new one.';
  return `${identityFile} is damaged: ${JSON.stringify(text.slice(0, 100))}. ${advice}`;
}

function digestOf({ name, created, journal }: StoredIdentity): string {
  const text = journal ? `${name} ${created} journal` : `${name} ${created}`;
  return createHash('sha256').update(text).digest('hex');
}

function parseObject(text: string): Partial<Record<keyof StoredIdentity | 'digest', unknown>> {
  try {
    return { ...(JSON.parse(text) as object) };
  } catch {
    return {};
  }
}
