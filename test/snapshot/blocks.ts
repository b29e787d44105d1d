import { NO_GRAPH, type QuadBlock } from '../../src/rdf/model/quad-block.ts';

/** Canonical N-Triples forms; a quad may name no graph. */
export interface BlockQuad {
  readonly subject: string;
  readonly predicate: string;
  readonly object: string;
  readonly graph?: string;
}

/** A block as a parser makes it. */
export function blockOf(quads: readonly BlockQuad[], freshBlankNodes = false): QuadBlock {
  const indexes = new Map<string, number>();
  const indexOf = (text: string): number => {
    const index = indexes.get(text) ?? indexes.size;
    indexes.set(text, index);
    return index;
  };
  const rows = quads.flatMap(({ subject, predicate, object, graph }) => [
    indexOf(subject),
    indexOf(predicate),
    indexOf(object),
    graph === undefined ? NO_GRAPH : indexOf(graph),
  ]);
  const texts = [...indexes.keys()].map((text) => Buffer.from(text));
  const termOffsets = new Uint32Array(texts.length + 1);
  texts.forEach((text, i) => {
    termOffsets[i + 1] = termOffsets[i]! + text.length;
  });
  return {
    termBytes: new Uint8Array(Buffer.concat(texts)),
    termOffsets,
    quads: Uint32Array.from(rows),
    graphs: Uint32Array.from(new Set(rows.filter((_, at) => at % 4 === 3))),
    freshBlankNodes,
  };
}
