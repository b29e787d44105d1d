import { graphNameOf } from './graph-name.ts';
import { NO_GRAPH, type QuadBlock } from './quad-block.ts';

/** Returns the names of the graphs that the quads of a block name. */
export function namedGraphs({ termBytes, termOffsets, quads }: QuadBlock): string[] {
  const found = new Set<number>();
  for (let i = 3, last = NO_GRAPH; i < quads.length; i += 4) {
    const graph = quads[i]!;
    if (graph === last) continue;
    last = graph;
    if (graph !== NO_GRAPH) found.add(graph);
  }
  return Array.from(found, (index) =>
    graphNameOf(Buffer.from(termBytes.subarray(termOffsets[index]!, termOffsets[index + 1]!)).toString()),
  );
}

/**
 * Returns the same quads, where those that name no graph name this one. Its name may then occur
 * twice among the terms.
 */
export function withDefaultGraph(block: QuadBlock, graph: string): QuadBlock {
  const { termBytes, termOffsets, quads } = block;
  if (!hasUnnamed(quads)) return block;
  const name = Buffer.from(`<${graph}>`);
  const bytes = new Uint8Array(memoryLike(termBytes, termBytes.length + name.length));
  bytes.set(termBytes);
  bytes.set(name, termBytes.length);
  const offsets = new Uint32Array(memoryLike(termOffsets, termOffsets.byteLength + 4));
  offsets.set(termOffsets);
  offsets[termOffsets.length] = bytes.length;
  const named = new Uint32Array(memoryLike(quads, quads.byteLength));
  named.set(quads);
  const index = termOffsets.length - 1;
  for (let i = 3; i < named.length; i += 4) if (named[i] === NO_GRAPH) named[i] = index;
  return { ...block, termBytes: bytes, termOffsets: offsets, quads: named };
}

function hasUnnamed(quads: Uint32Array): boolean {
  for (let i = 3; i < quads.length; i += 4) if (quads[i] === NO_GRAPH) return true;
  return false;
}

/**
 * Replaces shared memory by shared memory, so that no more is copied between threads than before.
 */
function memoryLike({ buffer }: Uint8Array | Uint32Array, bytes: number): ArrayBuffer | SharedArrayBuffer {
  return buffer instanceof SharedArrayBuffer ? new SharedArrayBuffer(bytes) : new ArrayBuffer(bytes);
}
