/** Files that settings name. */
import { readFile } from 'node:fs/promises';

/** Rejects with an error that names the file. */
export async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new Error(`${file} can't be read: ${(error as Error).message}.`);
  }
}

/** Adds to errors of `action` the place of what it reads. */
export function explained<T>(place: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw new Error(`${place} is invalid: ${(error as Error).message}.`, { cause: error });
  }
}
