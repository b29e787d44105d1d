import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';

/** Bytes; what the journal takes for a small write. */
const RECORD_BYTES = 200;

/** What the disk does bare: small appends and fdatasync, one after another, a second. */
export function bareSyncs(path: string, seconds: number): number {
  const file = openSync(path, 'a');
  const record = Buffer.alloc(RECORD_BYTES, 'x');
  const began = performance.now();
  let count = 0;
  for (; performance.now() - began < seconds * 1000; count++) {
    writeSync(file, record);
    fdatasyncSync(file);
  }
  closeSync(file);
  return count / ((performance.now() - began) / 1000);
}
