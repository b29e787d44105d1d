import { PartMemory } from './part-memory.ts';
import { requireUnchanged, type SourceFile } from './source-file.ts';
import { openSource, type SourceReader } from './source-reader.ts';

const LINE_FEED = 0x0a;

/** The unit of parsing: whole lines, or a whole document. */
export interface Part {
  readonly source: SourceFile;
  /** In shared memory. */
  readonly bytes: Buffer;
  /** Bytes of the file that were read since the previous part. */
  readonly read: number;
  readonly isFirst: boolean;
  /** Whether this is the last part of its file. A file has at least one part. */
  readonly isLast: boolean;
}

/** Reads files in parts, sequentially. */
export class PartReader {
  readonly #memory = new PartMemory();

  /**
   * Errors: `parse-error` for a file that is not gzip, `precondition-failed` for a file that has
   * changed since it was examined, and read errors.
   */
  async *partsOf(sources: readonly SourceFile[]): AsyncGenerator<Part> {
    for (const source of sources) {
      const reader = await openSource(source);
      try {
        yield* this.#partsOfFile(source, reader);
      } finally {
        await reader.close();
      }
    }
  }

  /** Takes back the memory of a part that is no longer used. */
  release({ bytes }: Part): void {
    this.#memory.release(bytes);
  }

  async *#partsOfFile(source: SourceFile, reader: SourceReader): AsyncGenerator<Part> {
    let memory = this.#memory.take();
    let filled = 0;
    let counted = 0;
    let isFirst = true;
    const part = (length: number, isLast: boolean): Part => {
      const read = reader.bytesRead - counted;
      counted = reader.bytesRead;
      return { source, bytes: memory.subarray(0, length), read, isFirst, isLast };
    };
    for (;;) {
      const count = await reader.read(memory.subarray(filled));
      if (count === 0) break;
      filled += count;
      if (filled < memory.length) continue;
      const end = source.isLines ? memory.lastIndexOf(LINE_FEED) + 1 : 0;
      const next = this.#memory.take(end === 0 ? 2 * filled : 2 * (filled - end));
      memory.copy(next, 0, end);
      if (end > 0) {
        yield part(end, false);
        isFirst = false;
      }
      memory = next;
      filled -= end;
    }
    await requireUnchanged(source);
    yield part(filled, true);
  }
}
