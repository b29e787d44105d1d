import { mkdir, open, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/**
 * Creates a directory and its missing parents. The names of the new directories are durable when
 * the promise resolves: if a directory's name is lost, so are the files in it. `mode`: permissions
 * of the new directories.
 */
export async function makeDurableDirectory(path: string, mode = 0o777): Promise<void> {
  try {
    await make(resolve(path), mode);
  } catch (error) {
    const cause = error as NodeJS.ErrnoException;
    throw Object.assign(new Error(notMade(path, cause), { cause }), { code: cause.code });
  }
}

/**
 * Creates one directory after another: Node's recursive `mkdir` never ends where the system can't
 * create directories, as below /proc.
 */
async function make(path: string, mode: number): Promise<void> {
  const code = await codeOf(mkdir(path, { mode }));
  if (code === 'EEXIST' && (await isDirectory(path))) return;
  if (code === 'ENOENT' && !(await isDirectory(dirname(path)))) {
    await make(dirname(path), mode);
    await make(path, mode);
    return;
  }
  if (code !== undefined) throw Object.assign(new Error(code), { code });
  await syncDirectory(dirname(path));
}

/** Resolves with the code of the error, if there is one. */
function codeOf(action: Promise<unknown>): Promise<string | undefined> {
  return action.then(
    () => undefined,
    (error: NodeJS.ErrnoException) => error.code ?? error.message,
  );
}

async function isDirectory(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found?.isDirectory() ?? false;
}

function notMade(path: string, { code, message }: NodeJS.ErrnoException): string {
  if (code === 'EEXIST') return `${path} is a file, not a directory.`;
  if (code === 'ENOTDIR') return `${path} can't be created: a part of it is a file, not a directory.`;
  if (code === 'EACCES' || code === 'EPERM') return `${path} can't be created: permission denied.`;
  if (code === 'ENOENT') return `${path} can't be created: the file system does not allow directories there.`;
  if (code === 'EROFS') return `${path} can't be created: the file system is read-only.`;
  return `${path} can't be created: ${message}`;
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
