/**
 * Bundles the entry files of threads into `dist/workers/` (`npm run build`). A thread that loads
 * its code file by file needs three times the processor time, and a server starts several threads.
 */
import { readdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';

const source = fileURLToPath(new URL('../workers/', import.meta.url));
const target = fileURLToPath(new URL('../dist/workers/', import.meta.url));

/** This file finds others from its own place, so it stays there. */
const leaveInPlace: Plugin = {
  name: 'leave-in-place',
  setup: ({ onResolve }) =>
    onResolve({ filter: /\/worker-url\.ts$/ }, () => ({
      path: '../src/pool/threads/worker-url.js',
      external: true,
    })),
};

const names = await readdir(source);
const { metafile } = await build({
  entryPoints: names.map((name) => join(source, name)),
  outdir: target,
  bundle: true,
  splitting: true,
  metafile: true,
  packages: 'external',
  platform: 'node',
  format: 'esm',
  target: 'es2023',
  chunkNames: 'part-[hash]',
  plugins: [leaveInPlace],
  logLevel: 'warning',
});
const made = new Set(Object.keys(metafile.outputs).map((file) => basename(file)));
const earlier = (await readdir(target)).filter((name) => !made.has(name));
await Promise.all(earlier.map((name) => rm(join(target, name))));
