import { fileURLToPath } from 'node:url';

/** `.ts` when run from source, `.js` when compiled: the compiler does not rewrite names of files. */
const suffix = import.meta.url.slice(-3);

/** The file of a program of this project, named from its root, without the suffix. */
export function entryFile(name: string): string {
  return fileURLToPath(new URL(`../../${name}${suffix}`, import.meta.url));
}
