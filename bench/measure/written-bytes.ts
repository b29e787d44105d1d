import { readFileSync } from 'node:fs';

/**
 * Bytes that a process has had written to disk; undefined where the system does not tell (it is not
 * Linux).
 */
export function writtenBytes(pid: number): number | undefined {
  try {
    const bytes = /^write_bytes: (\d+)$/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))?.[1];
    return bytes === undefined ? undefined : Number(bytes);
  } catch {
    return undefined;
  }
}
