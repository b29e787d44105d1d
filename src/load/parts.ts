import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { AppError } from '../errors.ts';
import type { SourceFile } from './source-file.ts';

const LINE_FEED = 0x0a;
/** A thread parses so much in a few hundredths of a second. */
const PART_BYTES = 4 << 20;

/** What is parsed at a time: whole lines, or a whole document. */
export interface Part {
  readonly source: SourceFile;
  readonly bytes: Uint8Array;
  /** Bytes of the file that were read since the part before. */
  readonly read: number;
  /** Whether it is the last one of its file. A file has one at least. */
  readonly isLast: boolean;
}

/**
 * The parts of files, one after another. Errors: `parse-error` for a file that is not gzip, those
 * of reading.
 */
export async function* partsOf(sources: readonly SourceFile[]): AsyncGenerator<Part> {
  for (const source of sources) yield* partsOfFile(source);
}

async function* partsOfFile(source: SourceFile): AsyncGenerator<Part> {
  const { loaded, gzip, isLines } = source;
  const file = createReadStream(loaded.file, { highWaterMark: 1 << 20 });
  let rest: Buffer[] = [];
  let length = 0;
  let counted = 0;
  const part = (bytes: Uint8Array, isLast: boolean): Part => {
    const read = file.bytesRead - counted;
    counted = file.bytesRead;
    return { source, bytes, read, isLast };
  };
  for await (const chunk of gzip ? inflated(file, loaded.file) : file) {
    rest.push(chunk as Buffer);
    length += (chunk as Buffer).length;
    if (!isLines || length < PART_BYTES) continue;
    const end = (chunk as Buffer).lastIndexOf(LINE_FEED) + 1;
    if (end === 0) continue;
    const bytes = Buffer.concat(rest).subarray(0, length - (chunk as Buffer).length + end);
    rest = [(chunk as Buffer).subarray(end)];
    length = rest[0]!.length;
    yield part(bytes, false);
  }
  yield part(Buffer.concat(rest), true);
}

async function* inflated(file: NodeJS.ReadableStream, name: string): AsyncGenerator<Buffer> {
  const gunzip = createGunzip({ chunkSize: 1 << 18 });
  file.once('error', (error) => gunzip.destroy(error));
  try {
    for await (const chunk of file.pipe(gunzip)) yield chunk as Buffer;
  } catch (error) {
    const isData = String((error as { code?: unknown }).code).startsWith('Z_');
    throw isData ? new AppError('parse-error', `${name} is not valid gzip.`, {}, error) : error;
  }
}
