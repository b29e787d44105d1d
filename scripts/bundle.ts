/**
 * Bundles the entry files of the process, of its threads and of the package (`npm run build`). Code
 * that is loaded file by file needs three times the processor time, and a server starts several
 * threads. What entries share, and what is loaded later, is in `dist/parts/`.
 */
import { readdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const workers = await readdir(join(root, 'workers'));
const libraries = ['client', 'ldpath', 'server'];

/** This file finds others from its own place, so it stays there; package.json says where. */
const leaveInPlace: Plugin = {
  name: 'leave-in-place',
  setup: ({ onResolve }) =>
    onResolve({ filter: /\/code-root\.ts$/ }, () => ({ path: '#code-root', external: true })),
};

/** Returns the names of the files that were written. */
async function bundle(entries: readonly string[]): Promise<string[]> {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [...entries],
    outdir: 'dist',
    outbase: '.',
    bundle: true,
    splitting: true,
    metafile: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'es2023',
    chunkNames: 'parts/[hash]',
    plugins: [leaveInPlace],
    logLevel: 'warning',
  });
  return Object.keys(metafile.outputs).map((file) => basename(file));
}

const forPrograms = ['src/main.ts', ...libraries.map((name) => `src/library/${name}/entry.ts`)];
// A thread shares no loaded code with others, and fewer, larger files load faster.
const bundles = [forPrograms, ...workers.map((name) => [`workers/${name}`])];
const made = new Set((await Promise.all(bundles.map(bundle))).flat());
const parts = join(root, 'dist/parts');
const earlier = (await readdir(parts)).filter((name) => !made.has(name));
await Promise.all(earlier.map((name) => rm(join(parts, name))));
