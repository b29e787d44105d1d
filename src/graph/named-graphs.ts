import { NO_GRAPH, type QuadBlock } from './quad-block.ts';

/** The names of the graphs that the quads of a block name, without angle brackets. */
export function namedGraphs({ termBytes, termOffsets, quads }: QuadBlock): string[] {
  const found = new Set<number>();
  for (let i = 3, last = NO_GRAPH; i < quads.length; i += 4) {
    const graph = quads[i]!;
    if (graph === last) continue;
    last = graph;
    if (graph !== NO_GRAPH) found.add(graph);
  }
  return Array.from(found, (index) =>
    Buffer.from(termBytes.subarray(termOffsets[index]! + 1, termOffsets[index + 1]! - 1)).toString(),
  );
}
