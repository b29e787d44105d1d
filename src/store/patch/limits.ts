import { AppError } from '../../errors.ts';
import type { TermBytes } from '../../rdf/model/path-graph.ts';
import { MAX_QUAD_BYTES } from '../../rdf/model/quad-limits.ts';
import { isReadable } from './quad-scanner.ts';

/**
 * The most bytes of journal that one transaction may use. A short document can become very long
 * here, because Turtle's prefixes are written out.
 */
export const MAX_PATCH_BYTES = 2 ** 30;

/**
 * The same for a transaction whose patch is in a file of its own, which is never loaded as a whole.
 */
export const MAX_PATCH_FILE_BYTES = 2 ** 34;

/**
 * Checks that the terms after `known`, up to `last`, can be read back. Parsers have validated the
 * terms of documents; the server makes others from names and settings.
 */
export function requireReadable(
  terms: Pick<TermBytes, 'bytes' | 'start' | 'end'>,
  known: number,
  last: number,
): void {
  for (let id = known + 1; id <= last; id++) {
    const start = terms.start(id);
    const end = terms.end(id);
    if (!isReadable(terms.bytes, start, end)) {
      throw unreadable(Buffer.from(terms.bytes.slice(start, end)).toString());
    }
  }
}

/**
 * Checks a graph's name: that of a graph without quads is in the patch, but not in the dictionary.
 */
export function requireReadableName(graph: string): void {
  const name = Buffer.from(`<${graph}>`);
  if (!isReadable(name, 0, name.length)) throw unreadable(graph);
}

/**
 * `longest`: bytes of the longest added quad; `bytes`: size of the patch so far. Throws
 * `too-large`.
 */
export function requireFit(longest: number, bytes: number, most = MAX_PATCH_BYTES): void {
  // A quad that could not be loaded again must never be journalled, whatever its source.
  if (longest > MAX_QUAD_BYTES) {
    const message = `A triple of ${longest} bytes, its graph included, is too long: the limit is ${MAX_QUAD_BYTES}.`;
    throw new AppError('too-large', message);
  }
  if (bytes <= most) return;
  const message = `The change needs more than ${bytes} bytes of journal; the limit for one request is ${most}. Split it into several requests.`;
  throw new AppError('too-large', message);
}

function unreadable(text: string): AppError {
  const shown = JSON.stringify(text.slice(0, 200));
  return new AppError('bad-term', `The term could not be read back from the journal: ${shown}`);
}
