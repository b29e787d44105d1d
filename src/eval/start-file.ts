import { readFile } from 'node:fs/promises';

/** The start resources of a file, one a line; blank lines and `#` comments are passed over. */
export async function readStarts(file: string): Promise<string[]> {
  const lines = (await readFile(file, 'utf8')).split(/\r?\n/);
  return lines.map((line) => line.trim()).filter((line) => line !== '' && !line.startsWith('#'));
}
