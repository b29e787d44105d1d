import { createRequire } from 'node:module';
import { RdfError } from '../formats/errors.ts';

type Oxigraph = typeof import('oxigraph');

const require = createRequire(import.meta.url);
let instance: Oxigraph | undefined;

/**
 * Runs a function with Oxigraph. A trap inside WebAssembly (out of memory, out of stack) leaves
 * that instance permanently broken, so it is discarded and the next call gets a new one; the error
 * becomes `too-large`.
 */
export function withOxigraph<T>(run: (oxigraph: Oxigraph) => T): T {
  instance ??= require('oxigraph') as Oxigraph;
  try {
    return run(instance);
  } catch (error) {
    if (!isTrap(error)) throw error;
    instance = undefined;
    delete require.cache[require.resolve('oxigraph')];
    throw new RdfError('too-large', 'The document exceeds the memory or stack of the parser');
  }
}

/**
 * Whether WebAssembly itself failed, out of memory or of stack; its instance is then broken. In an
 * instance without `throwPanics`, a panic looks the same.
 */
export function isTrap(error: unknown): boolean {
  return error instanceof RangeError || (error instanceof Error && error.name === 'RuntimeError');
}
