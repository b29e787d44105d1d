import type { TermBytes } from '../../model/path-graph.ts';
import { RDF } from '../../model/term.ts';
import type { TermId } from '../../model/term-id.ts';
import { ascii } from '../chunk-writer.ts';

/** The term that ends lists. */
export const NIL = ascii(`<${RDF}nil>`);

/** Whether a term is the wanted one. */
export function termEquals({ bytes, ends }: TermBytes, id: TermId, wanted: Uint8Array): boolean {
  const start = ends[id - 1]!;
  return ends[id]! - start === wanted.length && endsWith(bytes, ends[id]!, wanted);
}

/** Compares the bytes before `end` with the wanted ones, from the end. */
export function endsWith(bytes: Uint8Array, end: number, wanted: Uint8Array): boolean {
  for (let at = end - 1, other = wanted.length - 1; other >= 0; at--, other--) {
    if (bytes[at] !== wanted[other]) return false;
  }
  return true;
}
