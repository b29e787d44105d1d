/** Finds the content files that records of the journal name. */
import { SYSTEM_GRAPH } from '../../snapshot/graphs/system-graph.ts';

/*
 * Within a literal a quotation mark is escaped, so these bytes are only in rows of the registry.
 */
const BEFORE = Buffer.from('<urn:x-pathpool:contentDigest> "');
const AFTER = `" <${SYSTEM_GRAPH}> .\n`;
const DIGEST_LENGTH = 64;
const LINE_FEED = 0x0a;
const LETTER_A = 0x41;

/** For each digest that rows name, how many more of them add it than remove it. */
export type NamedContents = Map<string, number>;

/** Counts the digests in rows: whole lines of RDF Patch. */
export function countContents(rows: Uint8Array, counts: NamedContents): void {
  const bytes = Buffer.from(rows.buffer, rows.byteOffset, rows.byteLength);
  for (let at = bytes.indexOf(BEFORE); at >= 0; at = bytes.indexOf(BEFORE, at + 1)) {
    const from = at + BEFORE.length;
    const to = from + DIGEST_LENGTH;
    if (bytes.toString('latin1', to, to + AFTER.length) !== AFTER) continue;
    const digest = bytes.toString('latin1', from, to);
    const line = bytes.lastIndexOf(LINE_FEED, at) + 1;
    const by = bytes[line] === LETTER_A ? 1 : -1;
    counts.set(digest, (counts.get(digest) ?? 0) + by);
  }
}
