import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/**
 * Returns a function that loads a library on first use, so that threads that never use it do not
 * wait for it.
 */
export function lazyLibrary<T>(name: string): () => T {
  let library: T | undefined;
  return () => {
    library ??= require(name) as T;
    return library;
  };
}
