/**
 * What a backup repository says of one backup: a file `backups/<time>-<commit>.json` with one line
 * of JSON, then one line with the SHA-256 of the first. It is written last, under another name, and
 * then renamed, so a backup exists when its manifest does.
 */
import { createHash } from 'node:crypto';
import { AppError, newerFormat } from '../../errors.ts';
import type { FileDigest } from '../../pool/file-digest.ts';
import { isCheckpointFile } from '../../store/checkpoint/checkpoint.ts';

/** The newest format of a manifest. */
export const BACKUP_FORMAT = 1;
const namePattern = /^\d{8}T\d{9}Z-\d{12,16}\.json$/;

/** A file of the data directory, and which stored file has its bytes. */
export interface NamedFile extends FileDigest {
  readonly name: string;
}

/** A checkpoint, from which a restore begins. */
export interface Base {
  /** The commit whose data it has; 0 stands for no data, and has no files. */
  readonly commit: number;
  readonly files: readonly NamedFile[];
}

/** Successive records of the journal: a journal file of its own. */
export interface Segment {
  readonly first: number;
  readonly last: number;
  readonly file: FileDigest;
  /** The files that its records name. */
  readonly patches: readonly NamedFile[];
  /** A list of the digests of the content that its records add or remove. */
  readonly contents?: FileDigest;
}

/** Commits that are in no backup. */
export interface Gap {
  readonly first: number;
  readonly last: number;
}

/** One backup. */
export interface Manifest {
  /** The data set. */
  readonly identity: string;
  /**
   * The same for backups of one history, in which the segments of each continue those of the one
   * before.
   */
  readonly chain: string;
  /** It has all commits that were acknowledged before, in milliseconds since 1970. */
  readonly time: number;
  /** The newest commit. */
  readonly commit: number;
  readonly base: Base;
  /** From the backup before, or from `base` if that is older, up to `commit`. */
  readonly segments: readonly Segment[];
  /** A list of the digests of the content that was in the data directory. */
  readonly contents: FileDigest;
  /** SHA-256 of the newest record; undefined if the chain has none yet. */
  readonly newest?: string;
  /** Commits since the backup before that the data directory no longer had. */
  readonly gap?: Gap;
}

export function manifestName({ time, commit }: Pick<Manifest, 'time' | 'commit'>): string {
  const digits = new Date(time).toISOString().replaceAll(/[-:.]/g, '');
  return `${digits}-${String(commit).padStart(12, '0')}.json`;
}

export function isManifestName(name: string): boolean {
  return namePattern.test(name);
}

export function manifestText(manifest: Manifest): string {
  return sealed(JSON.stringify({ format: BACKUP_FORMAT, ...manifest }));
}

/** Errors: `data-damaged`, `newer-format`. */
export function parseManifest(name: string, text: string): Manifest {
  const { format, ...manifest } = JSON.parse(unsealed(name, text)) as Manifest & { format: number };
  if (format !== BACKUP_FORMAT) throw newerFormat(name, format, BACKUP_FORMAT);
  const other = manifest.base.files.find((file) => !isCheckpointFile(file.name));
  if (!other) return manifest;
  throw new AppError('data-damaged', `${name} names ${other.name}, which is no file of a checkpoint.`);
}

/** Returns a line with its digest. */
export function sealed(line: string): string {
  return `${line}\n${digestOf(line)}\n`;
}

/** Returns the line of a sealed text. Throws `data-damaged` if it does not match its digest. */
export function unsealed(name: string, text: string): string {
  const [line = '', digest] = text.split('\n');
  if (digest === digestOf(line)) return line;
  throw new AppError('data-damaged', `${name} does not match its own digest.`);
}

/** The stored files that a backup needs, some of them several times. */
export function filesOf({ base, segments, contents }: Manifest): FileDigest[] {
  const ofSegments = segments.flatMap(({ file, patches, contents: named }) => [
    file,
    ...patches,
    ...(named ? [named] : []),
  ]);
  return [...base.files, ...ofSegments, contents];
}

/** The stored lists of the content that a backup needs. */
export function contentListsOf({ segments, contents }: Manifest): FileDigest[] {
  return [contents, ...segments.flatMap((segment) => segment.contents ?? [])];
}

function digestOf(line: string): string {
  return createHash('sha256').update(line).digest('hex');
}
