import { createHash } from 'node:crypto';
import { CLUSTER_FILE, CLUSTER_FILE_FORMAT } from '../../cluster/objects/cluster-file.ts';
import { newerFormat } from '../../errors.ts';
import { type Disk, readFully, withFile } from '../../journal/disk/disk.ts';
import { readText } from '../../journal/disk/durable-file.ts';
import { isJournalFile } from '../../journal/file-list.ts';
import { fileHeaderBytes, formatVersions, magic } from '../../journal/record.ts';
import { sealFile, sealFormat } from '../../journal/seal.ts';
import { HEADER_BYTES, IMAGE_VERSION, versionOfImage } from '../../snapshot/image/layout.ts';
import { isImage, isManifest, MANIFEST_FORMAT } from '../checkpoint/checkpoint.ts';
import { isRetainedLog } from '../history/retained-files.ts';
import { IDENTITY_FORMAT, identityFile } from '../registry/identity.ts';

const JOURNAL_FORMAT = Math.max(...formatVersions);
/** Files of JSON name their format first; those of early releases do not have one. */
const FORMAT_BYTES = 64;
/** A greater number shows damage. */
const MOST_FORMATS = 1000;

/**
 * Throws `newer-format` if a newer release wrote a file of the data directory in a format that this
 * one does not know, and names the file. Everything that opens a directory calls this first, so
 * that nothing in it is changed. Damaged files are not its concern.
 */
export async function requireKnownFormats(disk: Disk): Promise<void> {
  const names = await disk.list('');
  const manifests = names.filter(isManifest).map((name) => [name, MANIFEST_FORMAT] as const);
  const present = singleFiles.filter(([name]) => names.includes(name));
  for (const [name, known] of [...present, ...manifests]) {
    await requireKnown(disk, name, { known, read: formatInJson, mayHaveDigest: true });
  }
  for (const name of names.filter(isImage)) {
    await requireKnown(disk, name, { known: IMAGE_VERSION, read: versionOfImage });
  }
  const logs = names.filter((name) => isJournalFile(name) || isRetainedLog(name));
  for (const name of logs) await requireKnownJournal(disk, name);
}

/** The same for one file of the journal, whatever its name. */
export function requireKnownJournal(disk: Disk, name: string): Promise<void> {
  return requireKnown(disk, name, { known: JOURNAL_FORMAT, read: versionOfJournal });
}

interface Format {
  /** The newest one that this release knows. */
  readonly known: number;
  readonly read: (head: Buffer) => number | undefined;
  /** Whether the file may have a digest of itself, which tells a newer format from damage. */
  readonly mayHaveDigest?: boolean;
}

async function requireKnown(disk: Disk, name: string, format: Format): Promise<void> {
  const { known, read, mayHaveDigest = false } = format;
  const found = read(await headOf(disk, name));
  if (found === undefined || found <= known || found > MOST_FORMATS) return;
  if (!mayHaveDigest || (await hasOwnDigest(disk, name))) throw newerFormat(name, found, known);
}

const singleFiles = [
  [identityFile, IDENTITY_FORMAT],
  [sealFile, sealFormat],
  [CLUSTER_FILE, CLUSTER_FILE_FORMAT],
] as const;

/** Returns the first bytes of a file; none if it can't be read, which what needs it reports. */
async function headOf(disk: Disk, name: string): Promise<Buffer> {
  const head = Buffer.alloc(Math.max(HEADER_BYTES, fileHeaderBytes, FORMAT_BYTES));
  try {
    const length = await withFile(disk, name, 'read', (file) => readFully(file, head, 0));
    return head.subarray(0, length);
  } catch {
    return head.subarray(0, 0);
  }
}

/**
 * Whether a file is as it was written. If it has a second line, that is the digest of the first.
 */
async function hasOwnDigest(disk: Disk, name: string): Promise<boolean> {
  const [line = '', digest = ''] = (await readText(disk, name)).split('\n');
  return digest === '' || digest === createHash('sha256').update(line).digest('hex');
}

function formatInJson(head: Buffer): number | undefined {
  const [, digits] = /^\{"format":(\d{1,9})[,}]/.exec(head.toString()) ?? [];
  return digits === undefined ? undefined : Number(digits);
}

/** The version is where it has always been, whatever else a newer header has. */
function versionOfJournal(head: Buffer): number | undefined {
  return head.length >= fileHeaderBytes && head.toString('latin1', 0, 8) === magic
    ? head.readUInt32LE(8)
    : undefined;
}
