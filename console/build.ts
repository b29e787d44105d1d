/**
 * Builds the console (`npm run build`): bundles the scripts and styles into `dist/console/`, with
 * a hash of its content in the name of each file, and with compressed forms beside each one.
 */
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build, type Metafile } from 'esbuild';

const source = fileURLToPath(new URL('.', import.meta.url));
const target = fileURLToPath(new URL('../dist/console/', import.meta.url));
const assets = join(target, 'assets');
/** Smaller files are not worth compressing. */
const SMALL_BYTES = 512;

await rm(target, { recursive: true, force: true });
await mkdir(assets, { recursive: true });
const { metafile } = await build({
  entryPoints: [join(source, 'src/main.tsx'), join(source, 'src/style/main.css')],
  outdir: assets,
  bundle: true,
  splitting: true,
  format: 'esm',
  target: 'es2022',
  minify: true,
  metafile: true,
  legalComments: 'linked',
  entryNames: '[name]-[hash]',
  chunkNames: 'part-[hash]',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  logLevel: 'warning',
});
const template = await readFile(join(source, 'index.html'), 'utf8');
const page = template
  .replace('{script}', `assets/${outputOf(metafile, 'main.tsx')}`)
  .replace('{style}', `assets/${outputOf(metafile, 'main.css')}`);
await writeFile(join(target, 'index.html'), page);
await Promise.all([target, assets].map(compressFilesIn));

/** Returns the name of the file that was made of an entry point. */
function outputOf({ outputs }: Metafile, entry: string): string {
  const found = Object.entries(outputs).find(([, { entryPoint = '' }]) => basename(entryPoint) === entry);
  if (!found) throw new Error(`No output was made of ${entry}.`);
  return basename(found[0]);
}

/** Compresses as much as the methods can: it is done once, and read often. */
async function compressFilesIn(folder: string): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true });
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const file = join(folder, entry.name);
    const bytes = await readFile(file);
    if (bytes.length < SMALL_BYTES) continue;
    const size = { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
    await writeFile(`${file}.br`, await promisify(brotliCompress)(bytes, { params: size }));
    await writeFile(`${file}.gz`, await promisify(gzip)(bytes, { level: 9 }));
  }
}
