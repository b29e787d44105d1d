import { mkdir, open } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/**
 * Creates a directory, and its parents where they are missing. The names of those that it creates are durable when it
 * resolves: a file in a directory whose own name is lost is lost with it. `mode`: permissions of those.
 */
export async function makeDurableDirectory(path: string, mode = 0o777): Promise<void> {
  const outermost = await mkdir(path, { recursive: true, mode }).catch((error: NodeJS.ErrnoException) => {
    throw Object.assign(new Error(notMade(path, error), { cause: error }), { code: error.code });
  });
  if (outermost === undefined) return;
  const shortest = resolve(outermost).length;
  for (let made = resolve(path); made.length >= shortest; made = dirname(made)) {
    await syncDirectory(dirname(made));
  }
}

function notMade(path: string, { code, message }: NodeJS.ErrnoException): string {
  if (code === 'EEXIST') return `${path} is a file, not a directory.`;
  if (code === 'ENOTDIR') return `${path} can't be made: a part of it is a file, not a directory.`;
  if (code === 'EACCES' || code === 'EPERM') return `${path} can't be made: permission is denied.`;
  if (code === 'EROFS') return `${path} can't be made: the file system is read-only.`;
  return `${path} can't be made: ${message}`;
}

/** Makes creations, renames and removals in a directory durable. */
export async function syncDirectory(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
