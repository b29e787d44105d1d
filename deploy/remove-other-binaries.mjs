/**
 * node remove-other-binaries.mjs FOLDER
 *
 * Removes from a folder node_modules what only other systems use, about 133 MB: the binaries of
 * uWebSockets.js for other systems and other versions of Node.js than those that run this script,
 * and the build of Oxigraph for browsers. If uWebSockets.js has no binary for this system, all of
 * its binaries are removed.
 */
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  console.error('usage: node remove-other-binaries.mjs FOLDER, such as node_modules');
  process.exit(2);
}

const own = `uws_${process.platform}_${process.arch}_${process.versions.modules}.node`;
removeFrom('uWebSockets.js/dist/bin', (name) => /^uws_.*\.node$/.test(name) && name !== own);
removeFrom('oxigraph', (name) => /^web(_bg)?\./.test(name));

/**
 * @param {string} place
 * @param {(name: string) => boolean} isUnused
 */
function removeFrom(place, isUnused) {
  const directory = join(folder, place);
  for (const name of namesIn(directory).filter(isUnused)) rmSync(join(directory, name));
}

/** @param {string} directory */
function namesIn(directory) {
  try {
    return readdirSync(directory);
  } catch (error) {
    // An installation without optional dependencies.
    if (error.code === 'ENOENT') return [];
    throw error;
  }
}
