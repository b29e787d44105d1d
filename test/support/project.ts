/**
 * Where the files of the project are. Tests run from source, and compiled in `dist/test/`, where
 * there are no other files than modules.
 */
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Worker, type WorkerOptions } from 'node:worker_threads';
import { entryFile } from '../../bench/measure/entry-file.ts';

/** Whether the tests that run are the compiled ones. Then what they test is compiled, too. */
export const isCompiled = import.meta.url.endsWith('.js');
const root = new URL(isCompiled ? '../../../' : '../../', import.meta.url);

/** Flags for Node.js to run modules of the tests in another process. */
export const loaderFlags: readonly string[] = isCompiled ? [] : ['--import', 'tsx'];

/** The folder of the project. */
export const projectRoot = fileURLToPath(root);

/** The path of a file or folder, which is named from the root of the project. */
export function projectFile(name: string): string {
  return fileURLToPath(new URL(name, root));
}

/** The URL of a module, named from the root without its suffix; compiled if the tests are. */
export function moduleUrl(name: string): URL {
  return pathToFileURL(entryFile(name));
}

/** Arguments for Node.js to run a module in another process. */
export function scriptArguments(name: string): string[] {
  return [...loaderFlags, entryFile(name)];
}

/** Runs a module in a thread. On Node 20 a thread does not inherit the loader of `.ts` files. */
export function startThread(name: string, options: WorkerOptions = {}): Worker {
  const { href } = moduleUrl(name);
  if (isCompiled) return new Worker(new URL(href), options);
  const load = `import('tsx/esm/api').then((tsx) => { tsx.register(); return import('${href}'); })`;
  return new Worker(load, { ...options, eval: true });
}
