import { AppError } from '../../errors.ts';
import type { Disk } from '../../journal/disk/disk.ts';
import { readText, writeDurably } from '../../journal/disk/durable-file.ts';
import { isJournalFile } from '../../journal/file-list.ts';
import type { LogPosition } from '../nats/genesis.ts';

export const CLUSTER_FILE = 'cluster.json';
export const CLUSTER_FILE_FORMAT = 1;
/** A file of a data directory that has a journal of its own. */
const IDENTITY_FILE = 'identity.json';

/** What the data directory of a process in a cluster belongs to. */
export interface ClusterFile {
  /** Name of the data set's identity. */
  readonly identity: string;
  /** The checkpoint in the directory: its commit, and where the log continues. */
  readonly checkpoint?: LogPosition;
}

export function writeClusterFile(disk: Disk, file: ClusterFile): Promise<void> {
  return writeDurably(disk, CLUSTER_FILE, `${JSON.stringify({ format: CLUSTER_FILE_FORMAT, ...file })}\n`);
}

/**
 * Error `bad-arguments` for a directory that belongs to another data set, or has a journal of its
 * own. Nothing in it is changed.
 */
export async function requireOwnDirectory(disk: Disk, identity: string): Promise<void> {
  const place = disk.root ?? 'The data directory';
  const names = await disk.list('');
  const isSingle = names.some((name) => name === IDENTITY_FILE || isJournalFile(name));
  if (isSingle) {
    throw new AppError(
      'bad-arguments',
      `${place} has a journal of its own, so it is the data directory of a single server. Give each process of a cluster an empty directory. To begin a cluster with these data: pathpool import ${place} nats://…`,
    );
  }
  if (!names.includes(CLUSTER_FILE)) return;
  const found = identityIn(await readText(disk, CLUSTER_FILE));
  if (found === identity) return;
  const whose =
    found === undefined ? `${CLUSTER_FILE} in it is damaged` : `it belongs to another data set (${found})`;
  throw new AppError(
    'bad-arguments',
    `${place} can't be used for the data set ${identity}: ${whose}. It only holds copies of what the log servers have: empty it, or give another directory.`,
  );
}

/**
 * Error `bad-arguments` for the directory of a process in a cluster: what is newer than its
 * checkpoint is in the log of the cluster alone. Nothing in it is changed.
 */
export async function requireSingleDirectory(disk: Disk): Promise<void> {
  if (!(await disk.list('')).includes(CLUSTER_FILE)) return;
  throw new AppError(
    'bad-arguments',
    `${disk.root ?? 'The data directory'} only holds copies for a process of a cluster (${CLUSTER_FILE}). Give its --journal, or make an ordinary data directory: pathpool backup nats://… DIRECTORY`,
  );
}

function identityIn(text: string): string | undefined {
  try {
    const { identity } = JSON.parse(text) as Partial<Record<keyof ClusterFile, unknown>>;
    return typeof identity === 'string' ? identity : undefined;
  } catch {
    return undefined;
  }
}
