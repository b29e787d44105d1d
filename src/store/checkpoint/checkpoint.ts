/**
 * A checkpoint: the whole store at one sequence number, as two files in the data directory.
 *
 *     checkpoint-<sequence>-<token>.image   the snapshot's dictionary and base run: the truth
 *     checkpoint-<sequence>.json            the manifest: one line of JSON with the token, the
 *                                           digests of the image's pieces and the graphs' rows,
 *                                           then one line with the SHA-256 of the first
 *
 * Every attempt has its own token, so that a process which lost the directory while it was
 * suspended can only remove the files of its own attempts.
 *
 * The manifest is written last, synced under another name and then renamed: a checkpoint exists if
 * its manifest does. Files without a manifest are the remains of an interrupted checkpoint and are
 * removed at the next start.
 *
 * Format 3 is format 2 with terms that earlier releases would misread (see new-format.ts). Format 1
 * had a third file, `.nq`, with all quads as N-Quads, and a single digest for each of the image and
 * the quads.
 */
import { createHash } from 'node:crypto';
import { AppError, newerFormat } from '../../errors.ts';
import type { Disk } from '../../journal/disk/disk.ts';
import { readText, writeDurably } from '../../journal/disk/durable-file.ts';
import { newToken } from '../../journal/disk/unique-names.ts';
import type { FileDigest } from '../../pool/file-digest.ts';
import type { CheckpointOutput, PieceDigests } from '../../pool/messages.ts';
import type { GraphChange } from '../../snapshot/graphs/table.ts';

/** The format of data without, and with, terms that earlier releases would misread. */
const FORMAT = 2;
const NEW_FORMAT = 3;
/** The newest format that this release reads. */
export const MANIFEST_FORMAT = NEW_FORMAT;

/** What distinguishes the files of a checkpoint from those of others. */
export interface CheckpointName {
  readonly sequence: number;
  /** Empty in format 1, and in the first checkpoints of format 2. */
  readonly token: string;
}

export interface Checkpoint extends CheckpointOutput, CheckpointName {
  readonly quadCount: number;
  /** One row for each graph that exists. */
  readonly graphs: readonly GraphChange[];
  /**
   * No commit so far is newer than this, in milliseconds since 1970. The graphs do not tell: the
   * newest commit may have removed one. Only checkpoints of a cluster have it, except older ones.
   */
  readonly time?: number;
  /** The file with all quads; only in a checkpoint of format 1. */
  readonly quads?: FileDigest;
  /**
   * The files that `pathpool load` has loaded; present only while that load was the last change.
   */
  readonly loaded?: readonly LoadedFile[];
}

/** A file that was loaded. */
export interface LoadedFile {
  /** Absolute path. */
  readonly file: string;
  /** The graph of the statements that do not name one. */
  readonly graph: string;
  readonly bytes: number;
  /** Milliseconds since 1970. */
  readonly modified: number;
}

/** A checkpoint in a data directory. */
export interface StoredCheckpoint extends Checkpoint {
  /** Size of both files. */
  readonly bytes: number;
}

interface ManifestBase {
  readonly sequence: number;
  readonly token?: string;
  readonly quadCount: number;
  readonly time?: number;
  /**
   * Name, number of triples, sequence number and time of the last change, and `since`, which older
   * manifests do not have.
   */
  readonly graphs: readonly (readonly [string, number, number, number, number?])[];
}

type Manifest = ManifestBase &
  (
    | { readonly format: 1; readonly quads: FileDigest; readonly image: FileDigest }
    | {
        readonly format: typeof FORMAT | typeof NEW_FORMAT;
        readonly image: PieceDigests;
        readonly loaded?: readonly LoadedFile[];
      }
  );

const namePattern =
  /^checkpoint-(\d{12,16})(?:-[0-9a-f]+(?=\.(?:nq|image)$))?\.(nq|image|json(?:(?:\.[0-9a-f]+)?\.new)?)$/;

/** Returns the name of a new attempt to make a checkpoint. */
export function newCheckpointName(sequence: number): CheckpointName {
  return { sequence, token: newToken() };
}

/** Returns the names of a checkpoint's files; `quadsFile` exists only in format 1. */
export function checkpointFiles({ sequence, token }: CheckpointName) {
  const stem = `checkpoint-${sequence.toString().padStart(12, '0')}`;
  const own = token === '' ? stem : `${stem}-${token}`;
  return { quadsFile: `${own}.nq`, imageFile: `${own}.image`, manifestFile: `${stem}.json` } as const;
}

/**
 * Completes a checkpoint whose image is already written and synced, then removes all older ones.
 */
export async function installCheckpoint(disk: Disk, checkpoint: Checkpoint): Promise<StoredCheckpoint> {
  const { manifestFile } = checkpointFiles(checkpoint);
  await disk.syncDirectory('');
  const text = manifestText(checkpoint);
  await writeDurably(disk, manifestFile, text);
  await removeOlder(disk, checkpoint.sequence);
  return { ...checkpoint, bytes: checkpoint.image.bytes + Buffer.byteLength(text) };
}

/** Returns the content of a manifest. */
export function manifestText(checkpoint: Checkpoint): string {
  const line = JSON.stringify(toManifest(checkpoint));
  return `${line}\n${digestOf(line)}\n`;
}

/**
 * Returns the newest checkpoint, or undefined if there is none. Throws `data-damaged` if its
 * manifest can't be read.
 */
export async function findCheckpoint(disk: Disk): Promise<StoredCheckpoint | undefined> {
  const manifests = (await listCheckpointFiles(disk)).filter(({ kind }) => kind === 'json');
  const newest = manifests.at(-1);
  return newest && readManifest(disk, newest.name);
}

async function readManifest(disk: Disk, name: string): Promise<StoredCheckpoint> {
  const text = await readText(disk, name);
  const [line = '', digest] = text.split('\n');
  if (digest !== digestOf(line)) {
    const message = `${name} does not match its own digest. Nothing was changed; restore a backup.`;
    throw new AppError('data-damaged', message);
  }
  const checkpoint = fromManifest(JSON.parse(line) as Manifest, name);
  return { ...checkpoint, bytes: checkpoint.image.bytes + Buffer.byteLength(text) };
}

function toManifest(checkpoint: Checkpoint): Manifest {
  const { sequence, token, quadCount, time, image, graphs, loaded, needsNewFormat } = checkpoint;
  const format = needsNewFormat ? NEW_FORMAT : FORMAT;
  const rows = graphs.flatMap(([name, info]) =>
    info ? [[name, info.size, info.sequence, info.modified, info.since] as const] : [],
  );
  const optional = { ...(time !== undefined && { time }), ...(loaded && { loaded }) };
  return { format, sequence, token, quadCount, image, ...optional, graphs: rows };
}

function fromManifest(manifest: Manifest, name: string): Checkpoint {
  const { sequence, token = '', quadCount, time } = manifest;
  const graphs = manifest.graphs.map(
    ([graph, size, changed, modified, since = 0]): GraphChange => [
      graph,
      { size, sequence: changed, modified, since },
    ],
  );
  const all = { sequence, token, quadCount, graphs, ...(time !== undefined && { time }) };
  switch (manifest.format) {
    case 1:
      return { ...all, needsNewFormat: false, image: onePiece(manifest.image), quads: manifest.quads };
    case FORMAT:
    case NEW_FORMAT: {
      const { format, image, loaded } = manifest;
      return { ...all, needsNewFormat: format === NEW_FORMAT, image, ...(loaded && { loaded }) };
    }
    default:
      throw newerFormat(name, (manifest as { readonly format: number }).format, MANIFEST_FORMAT);
  }
}

function onePiece({ bytes, digest }: FileDigest): PieceDigests {
  return { bytes, pieceBytes: bytes, pieces: [digest] };
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/**
 * Removes the remains of interrupted checkpoints, and all checkpoints but one. That one may have
 * been renamed just before a crash, so its name is made durable first.
 */
export async function removeAllBut(disk: Disk, kept: CheckpointName | undefined): Promise<void> {
  await disk.syncDirectory('');
  for (const file of await listCheckpointFiles(disk)) {
    if (!isFileOf(kept, file)) await disk.remove(file.name);
  }
}

/** Keeps newer ones: they could only belong to a process that has taken the directory over. */
async function removeOlder(disk: Disk, sequence: number): Promise<void> {
  for (const file of await listCheckpointFiles(disk)) {
    if (file.sequence < sequence) await disk.remove(file.name);
  }
}

/** Removes the large files of a checkpoint that failed before its manifest was written. */
export async function removeCheckpointDrafts(disk: Disk, failed: CheckpointName): Promise<void> {
  const { quadsFile, imageFile } = checkpointFiles(failed);
  for (const name of await disk.list('')) {
    if (name === quadsFile || name === imageFile) await disk.remove(name);
  }
}

/** Whether a name is that of a manifest. */
export function isManifest(name: string): boolean {
  return namePattern.exec(name)?.[2] === 'json';
}

/** Whether a name is that of an image. */
export function isImage(name: string): boolean {
  return namePattern.exec(name)?.[2] === 'image';
}

/** Whether a name is that of a file of a complete checkpoint. */
export function isCheckpointFile(name: string): boolean {
  const ending = namePattern.exec(name)?.[2];
  return ending !== undefined && kindOf(ending) !== 'draft';
}

export interface CheckpointFile {
  readonly name: string;
  readonly sequence: number;
  readonly kind: 'nq' | 'image' | 'json' | 'draft';
}

/** Whether a file belongs to this checkpoint. */
export function isFileOf(checkpoint: CheckpointName | undefined, { name }: CheckpointFile): boolean {
  if (!checkpoint) return false;
  const files: readonly string[] = Object.values(checkpointFiles(checkpoint));
  return files.includes(name);
}

/** Returns all files that belong to checkpoints, complete or not; those of the newest come last. */
export async function listCheckpointFiles(disk: Disk): Promise<CheckpointFile[]> {
  const files: CheckpointFile[] = [];
  for (const name of await disk.list('')) {
    const [, digits, ending] = namePattern.exec(name) ?? [];
    if (ending) files.push({ name, sequence: Number(digits), kind: kindOf(ending) });
  }
  return files.sort((a, b) => a.sequence - b.sequence);
}

function kindOf(ending: string): CheckpointFile['kind'] {
  return ending === 'nq' || ending === 'image' || ending === 'json' ? ending : 'draft';
}
