import { existsSync, readFileSync } from 'node:fs';

/** The package's file, as seen from the sources and from what is built of them. */
const places = ['../package.json', '../../package.json'];

/** The version of Pathpool. */
export function readVersion(): string {
  const file = places.map((place) => new URL(place, import.meta.url)).find((url) => existsSync(url));
  if (!file) throw new Error('The file package.json is missing.');
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}
