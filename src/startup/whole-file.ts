import { open } from 'node:fs/promises';

/** Bytes read at a time. */
const PIECE_BYTES = 1024 * 1024;
const MAX_BYTES = 2 ** 31 - 1;

/**
 * Reads a file, or a pipe to its end. `readFile` of Node.js 26 reads all of it in one job of a
 * thread that cannot be interrupted and that the end of the process waits for, and has no limit.
 */
export async function readWholeFile(path: string): Promise<Uint8Array> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    // One byte more, so that the end of a file is seen without growing.
    let bytes = new Uint8Array(Math.min(Math.max(size + 1, PIECE_BYTES), MAX_BYTES));
    for (let length = 0; ; ) {
      if (length === bytes.length) bytes = grown(bytes, path);
      const { bytesRead } = await file.read(bytes, length, Math.min(PIECE_BYTES, bytes.length - length));
      if (bytesRead === 0) return bytes.subarray(0, length);
      length += bytesRead;
    }
  } finally {
    await file.close();
  }
}

function grown(bytes: Uint8Array, path: string): Uint8Array<ArrayBuffer> {
  if (bytes.length === MAX_BYTES) {
    throw new Error(`${path} is longer than 2 GiB. Use pathpool load, which reads files in parts.`);
  }
  const larger = new Uint8Array(Math.min(bytes.length * 2, MAX_BYTES));
  larger.set(bytes);
  return larger;
}
