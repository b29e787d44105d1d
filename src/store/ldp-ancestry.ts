import { parentOf } from '../ldp/names.ts';
import type { SnapshotReader } from '../snapshot/reader.ts';
import { type LdpEntry, ldpEntry } from './ldp-books.ts';

/** Containers that one request may make on the way to what it creates. */
export const MAX_NEW_ANCESTORS = 100;

/** What lies above a URI of the LDP space. */
export interface Ancestry {
  /** The nearest URI above of which something is known; empty where nothing is, or not near enough. */
  readonly nearest: string;
  readonly entry: LdpEntry | 'gone' | undefined;
  /** What is missing between, the outermost first. */
  readonly missing: readonly string[];
}

/** Looks up from a URI to the nearest one of which something is known. */
export function ancestryOf(reader: SnapshotReader, uri: string): Ancestry {
  const missing: string[] = [];
  for (let above = parentOf(uri); above.includes('/'); above = parentOf(above)) {
    const entry = ldpEntry(reader, above);
    if (entry) return { nearest: above, entry, missing: missing.reverse() };
    missing.push(above);
    if (missing.length > MAX_NEW_ANCESTORS) break;
  }
  return { nearest: '', entry: undefined, missing: missing.reverse() };
}
