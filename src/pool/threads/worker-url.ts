import { Worker } from 'node:worker_threads';
import { codeRoot, runsFromSource } from '../../base/code-root.ts';

type HelperName = 'changes' | 'keeper' | 'load' | 'pieces' | 'store';

/** Returns the entry file of a thread: `workers/<name>`, beside `src`. */
export function workerUrl(name: 'job' | 'sparql' | HelperName): URL {
  return new URL(`workers/${name}${runsFromSource ? '.ts' : '.js'}`, codeRoot);
}

/**
 * Returns the options by which a Piscina loads an entry file, so that its threads may be terminated
 * at any time (`import-entry.cts`). The loader that reads `.ts` files needs the file itself.
 */
export function piscinaEntry(entry: URL): { readonly filename: string; readonly argv?: string[] } {
  if (entry.pathname.endsWith('.ts')) return { filename: entry.href };
  return { filename: new URL('src/pool/threads/import-entry.cjs', codeRoot).href, argv: [entry.href] };
}

/**
 * Starts a thread. Threads do not inherit the loader that reads `.ts` files when the project runs
 * from source.
 */
export function startWorker(name: HelperName, workerData: unknown): Worker {
  const entry = workerUrl(name);
  if (entry.pathname.endsWith('.js')) return new Worker(entry, { workerData });
  const load = `import('tsx/esm/api').then((tsx) => { tsx.register(); return import('${entry.href}'); })`;
  return new Worker(load, { eval: true, workerData });
}
