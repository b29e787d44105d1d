import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** `.ts` when run from source, `.js` when compiled: the compiler does not rewrite file names. */
const suffix = import.meta.url.slice(-3);

/** The file of a program of this project, named from its root, without the suffix. */
export function entryFile(name: string): string {
  return fileURLToPath(new URL(`../../${name}${suffix}`, import.meta.url));
}

/**
 * Returns the Node.js flags in the first line of a file, which apply when it is run as a command
 * (`#!/usr/bin/env -S node --flag`).
 */
export function flagsOfFirstLine(file: string): string[] {
  const [first = ''] = readFileSync(file, 'utf8').split('\n', 1);
  return first.startsWith('#!') ? first.split(' ').filter((word) => word.startsWith('--')) : [];
}
