import type { QuadBlock } from '../../rdf/model/quad-block.ts';
import type { TermId } from '../../rdf/model/term-id.ts';
import type { OverlayTerms } from '../../snapshot/dictionary/overlay.ts';

/**
 * Blocks up to this size are copied when they are sent to another thread; larger ones are put in
 * shared memory.
 */
const COPIED_BYTES = 64 * 1024;

/** Returns a block of quads, to be sent to another thread, from rows of four ids. */
export function rowBlock(rows: Uint32Array, terms: OverlayTerms): QuadBlock {
  const numbers = new Map<TermId, number>();
  const quads = new Uint32Array(memory(4 * rows.length));
  let bytes = 0;
  for (let at = 0; at < rows.length; at++) {
    const id = rows[at]!;
    let number = numbers.get(id);
    if (number === undefined) {
      number = numbers.size;
      numbers.set(id, number);
      bytes += terms.end(id) - terms.start(id);
    }
    quads[at] = number;
  }
  const graphs = graphsOf(quads);
  return { ...termTable([...numbers.keys()], bytes, terms), quads, graphs, freshBlankNodes: false };
}

function graphsOf(quads: Uint32Array): Uint32Array {
  const found = new Set<number>();
  for (let at = 3; at < quads.length; at += 4) found.add(quads[at]!);
  const graphs = new Uint32Array(memory(4 * found.size));
  graphs.set([...found]);
  return graphs;
}

function termTable(
  ids: readonly TermId[],
  size: number,
  terms: OverlayTerms,
): Pick<QuadBlock, 'termBytes' | 'termOffsets'> {
  const termBytes = new Uint8Array(memory(size));
  const termOffsets = new Uint32Array(memory(4 * (ids.length + 1)));
  let end = 0;
  for (const [index, id] of ids.entries()) {
    const bytes = terms.bytes(id);
    termBytes.set(bytes, end);
    end += bytes.length;
    termOffsets[index + 1] = end;
  }
  return { termBytes, termOffsets };
}

function memory(bytes: number): ArrayBuffer | SharedArrayBuffer {
  return bytes > COPIED_BYTES ? new SharedArrayBuffer(bytes) : new ArrayBuffer(bytes);
}
