import type { TermBytes } from './path-graph.ts';
import type { TermId } from './term-id.ts';

/**
 * Terms in ordinary memory, from their texts in canonical form. The first text, with the id 0, must
 * be empty.
 */
export class ArenaTerms implements TermBytes {
  readonly bytes: Uint8Array;
  readonly ends: Uint32Array;

  constructor(texts: readonly string[]) {
    this.bytes = new TextEncoder().encode(texts.join(''));
    this.ends = new Uint32Array(texts.length);
    let end = 0;
    texts.forEach((text, id) => {
      end += Buffer.byteLength(text);
      this.ends[id] = end;
    });
  }

  start(id: TermId): number {
    return this.ends[id - 1]!;
  }

  end(id: TermId): number {
    return this.ends[id]!;
  }
}
