/**
 * node trim-modules.mjs FOLDER
 *
 * Removes from a folder node_modules what a server on this system does not use, about 141 MB: the
 * binaries of uWebSockets.js for other systems and other versions of Node.js than those that run
 * this script, the build of Oxigraph for browsers, and source maps. If uWebSockets.js has no binary
 * for this system, all of its binaries are removed.
 */
import { readdirSync, rmSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  console.error('usage: node trim-modules.mjs FOLDER, such as node_modules');
  process.exit(2);
}

const own = `uws_${process.platform}_${process.arch}_${process.versions.modules}.node`;

for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
  const file = join(entry.parentPath ?? entry.path, entry.name);
  if (entry.isFile() && isUnused(relative(folder, file).split(sep).join('/'))) rmSync(file);
}

/** @param {string} file */
function isUnused(file) {
  if (/^uWebSockets\.js\/dist\/bin\/uws_[^/]*\.node$/.test(file)) return !file.endsWith(`/${own}`);
  return /^oxigraph\/web(_bg)?\.[^/]*$|\.(js|cjs|mjs)\.map$/.test(file);
}
