import { createHash, randomBytes } from 'node:crypto';
import { AppError } from '../../errors.ts';
import type { Disk } from '../../journal/disk/disk.ts';
import { readText, writeDurably } from '../../journal/disk/durable-file.ts';

/**
 * The identity of a data set. The name is part of entity tags, so that tags of a data set that was
 * deleted, or only kept in memory, never match in another one (http-api G-72).
 */
export interface Identity {
  /** Eight letters and digits. */
  readonly name: string;
  /** When the data set was created, in milliseconds since 1970. */
  readonly created: number;
}

export const identityFile = 'identity.json';
/**
 * Also that of the directory as a whole: a release whose directories have files that others would
 * not know raises it. Files of early releases do not name it.
 */
export const IDENTITY_FORMAT = 1;

/** Returns an identity that no other data set has. `now`: milliseconds since 1970. */
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

/** Whether a data directory has an identity. It gets one the first time it is opened. */
export async function hasIdentity(disk: Disk): Promise<boolean> {
  return (await disk.list('')).includes(identityFile);
}

/** Returns the identity of a data directory; a new directory gets one. Throws `data-damaged`. */
export async function readIdentity(disk: Disk, now: number): Promise<Identity> {
  if (!(await hasIdentity(disk))) return writeIdentity(disk, newIdentity(now), true);
  const { name, created } = await readFile(disk);
  return { name, created };
}

/**
 * Whether the identity proves that there was a journal file, because it was written after it. Older
 * releases wrote the identity first.
 */
export async function provesJournal(disk: Disk): Promise<boolean> {
  if (!(await hasIdentity(disk))) return false;
  return parseIdentity(await readText(disk, identityFile))?.journal ?? false;
}

/** Describes the damage to a data directory's identity; undefined if it is intact. */
export async function identityDamage(disk: Disk): Promise<string | undefined> {
  if (!(await hasIdentity(disk))) return undefined;
  const text = await readText(disk, identityFile);
  return parseIdentity(text) ? undefined : describeDamage(text);
}

/** Gives the data set a new name. Throws `data-damaged`. */
export async function renewIdentity(disk: Disk): Promise<Identity> {
  const { created, journal } = await readFile(disk);
  return writeIdentity(disk, newIdentity(created), journal);
}

/** The contents of the file. */
interface StoredIdentity extends Identity {
  readonly journal: boolean;
}

async function writeIdentity(disk: Disk, { name, created }: Identity, journal: boolean): Promise<Identity> {
  const digest = digestOf({ name, created, journal });
  const members = { format: IDENTITY_FORMAT, name, created, ...(journal && { journal }), digest };
  await writeDurably(disk, identityFile, `${JSON.stringify(members)}\n`);
  return { name, created };
}

async function readFile(disk: Disk): Promise<StoredIdentity> {
  const text = await readText(disk, identityFile);
  const identity = parseIdentity(text);
  if (!identity) throw new AppError('data-damaged', describeDamage(text));
  return identity;
}

/** Returns undefined if the file is damaged. Files in older directories have no digest. */
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
  const advice =
    'Restore it from a backup of this directory, or remove it: the next start creates a new one.';
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
