import type { SnapshotReader } from '../../snapshot/read/reader.ts';
import { parentOf } from '../model/names.ts';
import { type LdpEntry, ldpEntry } from '../registry.ts';

/** The most containers that one request may create above the resource that it creates. */
export const MAX_NEW_ANCESTORS = 100;

/** The ancestors of a URI of the LDP space. */
export interface Ancestry {
  /**
   * The nearest ancestor that is or was an LDP resource; empty if there is none within the limit.
   */
  readonly nearest: string;
  readonly entry: LdpEntry | 'gone' | undefined;
  /** The missing ancestors below `nearest`, the outermost first. */
  readonly missing: readonly string[];
}

/** Finds the nearest ancestor of a URI that is or was an LDP resource. */
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
