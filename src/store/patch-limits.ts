import { AppError } from '../errors.ts';
import type { TermBytes } from '../graph/path-graph.ts';
import { MAX_QUAD_BYTES } from '../graph/quad-limits.ts';
import { iriFault } from '../rdf/iri.ts';
import { isReadable } from './quad-scanner.ts';

/**
 * Bytes of journal that one transaction may take. A short document can stand for a very long one,
 * since Turtle's prefixes are written out here.
 */
export const MAX_PATCH_BYTES = 2 ** 30;

/**
 * The same for a transaction whose patch is a file of its own, of which nobody needs all at once.
 */
export const MAX_PATCH_FILE_BYTES = 2 ** 34;

/**
 * Checks the terms after `known` up to `last`. Parsers have validated the terms of documents;
 * others the server makes of names and settings.
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

/** The name of a graph without quads is in the patch, though it is not in the dictionary. */
export function requireReadableName(graph: string): void {
  const name = Buffer.from(`<${graph}>`);
  if (iriFault(graph) !== undefined || !isReadable(name, 0, name.length)) throw unreadable(graph);
}

/**
 * `longest`: bytes of the longest quad that is added; `bytes`: of the patch so far. Error
 * `too-large`.
 */
export function requireFit(longest: number, bytes: number, most = MAX_PATCH_BYTES): void {
  // A quad that could not be loaded again must never be journalled, wherever it comes from.
  if (longest > MAX_QUAD_BYTES) {
    const message = `A triple of ${longest} bytes, its graph included, is too long: it may take ${MAX_QUAD_BYTES}.`;
    throw new AppError('too-large', message);
  }
  if (bytes <= most) return;
  const message = `The change would take more than ${bytes} bytes of journal; one request may take ${most}. Send it in parts.`;
  throw new AppError('too-large', message);
}

function unreadable(text: string): AppError {
  const shown = JSON.stringify(text.slice(0, 200));
  return new AppError('bad-term', `It could not be read back from the journal: ${shown}`);
}
