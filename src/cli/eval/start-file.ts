import { readFile } from 'node:fs/promises';

/**
 * Returns the start resources listed in a file, one per line. Blank lines and `#` comments are
 * skipped.
 */
export async function readStarts(file: string): Promise<string[]> {
  const lines = (await readFile(file, 'utf8')).split(/\r?\n/);
  return lines.map((line) => line.trim()).filter((line) => line !== '' && !line.startsWith('#'));
}
