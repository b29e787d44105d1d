import { existsSync, readFileSync } from 'node:fs';

/** The location of package.json relative to the sources, and relative to the build output. */
const places = ['../package.json', '../../package.json'];

/** Returns the version of Pathpool. */
export function readVersion(): string {
  const file = places.map((place) => new URL(place, import.meta.url)).find((url) => existsSync(url));
  if (!file) throw new Error('The file package.json is missing.');
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}
