import { stat } from 'node:fs/promises';
import { extname, resolve } from 'node:path';
import { AppError } from '../errors.ts';
import { mediaTypeOf } from '../startup/initial-files.ts';
import type { LoadedFile } from '../store/checkpoint/checkpoint.ts';

const LINE_FORMATS: readonly string[] = ['application/n-triples', 'application/n-quads'];

/** A file to load. */
export interface SourceFile {
  /** The description of the file that a checkpoint records once it is loaded. */
  readonly loaded: LoadedFile;
  readonly mediaType: string;
  readonly gzip: boolean;
  /** Whether each line is one statement, so that the file can be parsed in parts. */
  readonly isLines: boolean;
}

/**
 * Examines a file. `graph`: the graph of statements that name none. Errors: `not-found`,
 * `unsupported-media-type`.
 */
export async function sourceFile(name: string, graph: string): Promise<SourceFile> {
  const file = resolve(name);
  const gzip = extname(file).toLowerCase() === '.gz';
  const mediaType = mediaTypeIn(name, gzip ? file.slice(0, -'.gz'.length) : file);
  const { size, mtimeMs } = await stat(file).catch((error: unknown) => {
    throw new AppError('not-found', `${name} can't be read: ${String(error)}`, {}, error);
  });
  const loaded = { file, graph, bytes: size, modified: mtimeMs };
  return { loaded, mediaType, gzip, isLines: LINE_FORMATS.includes(mediaType) };
}

function mediaTypeIn(name: string, file: string): string {
  try {
    return mediaTypeOf(file);
  } catch (error) {
    const { message } = error as Error;
    throw new AppError(
      'unsupported-media-type',
      `${name}: ${message}, optionally followed by .gz`,
      {},
      error,
    );
  }
}

/** Error `precondition-failed` for a file that has changed since it was examined. */
export async function requireUnchanged({ loaded }: SourceFile): Promise<void> {
  const now = await stat(loaded.file);
  const isSameFile = now.size === loaded.bytes && now.mtimeMs === loaded.modified;
  // Reading from a pipe changes its time.
  if (isSameFile || !now.isFile()) return;
  const message = `${loaded.file} has changed while it was being read. Nothing of it was loaded: run the same command again once it is complete.`;
  throw new AppError('precondition-failed', message);
}

/** Whether two files are the same file in the same state. */
export function isSame(x: LoadedFile, y: LoadedFile): boolean {
  return x.file === y.file && x.graph === y.graph && x.bytes === y.bytes && x.modified === y.modified;
}
