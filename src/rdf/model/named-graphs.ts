import { graphNameOf } from './graph-name.ts';
import { NO_GRAPH, type QuadBlock } from './quad-block.ts';

/** Returns the names of the graphs that the quads of a block name. */
export function namedGraphs({ termBytes, termOffsets, graphs }: QuadBlock): string[] {
  const named = graphs.filter((index) => index !== NO_GRAPH);
  return Array.from(named, (index) =>
    graphNameOf(Buffer.from(termBytes.subarray(termOffsets[index]!, termOffsets[index + 1]!)).toString()),
  );
}

/**
 * Returns the same quads, where those that name no graph name this one. Its name may then occur
 * twice among the terms.
 */
export function withDefaultGraph(block: QuadBlock, graph: string): QuadBlock {
  const { termBytes, termOffsets, quads, graphs } = block;
  if (!graphs.includes(NO_GRAPH)) return block;
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
  return {
    ...block,
    termBytes: bytes,
    termOffsets: offsets,
    quads: named,
    graphs: graphs.map((each) => (each === NO_GRAPH ? index : each)),
  };
}

/**
 * Replaces shared memory by shared memory, so that no more is copied between threads than before.
 */
function memoryLike({ buffer }: Uint8Array | Uint32Array, bytes: number): ArrayBuffer | SharedArrayBuffer {
  return buffer instanceof SharedArrayBuffer ? new SharedArrayBuffer(bytes) : new ArrayBuffer(bytes);
}
