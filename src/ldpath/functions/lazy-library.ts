import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** A library that is loaded when it is first used, so that threads that never use it need not wait for it. */
export function lazyLibrary<T>(name: string): () => T {
  let library: T | undefined;
  return () => {
    library ??= require(name) as T;
    return library;
  };
}
