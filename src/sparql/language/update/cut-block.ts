import { randomUUID } from 'node:crypto';
import { AppError } from '../../../errors.ts';
import { RdfError } from '../../../rdf/formats/errors.ts';
import { parseTurtle } from '../../../rdf/formats/turtle/parse.ts';
import { NO_GRAPH, type QuadBlock } from '../../../rdf/model/quad-block.ts';
import type { DataCut, DataRun } from './data-cuts.ts';
import { syntaxError } from './syntax-error.ts';

/**
 * The graph name given to triples without one, because TriG allows a missing last dot only within a
 * graph. It is random, so no text contains it.
 */
const NONE = `urn:uuid:${randomUUID()}`;

/**
 * Reads data as TriG, of which they are a subset. Errors: `too-large`, and `parse-error` with line
 * and column in the source. `parse-error` also covers the one construct that SPARQL allows and TriG
 * does not: a collection without a predicate.
 *
 * `prologue`: the declarations in effect.
 */
export function cutBlock(cut: DataCut, source: string, prologue: string): QuadBlock {
  const document = new Extract(cut, source, prologue);
  const block = document.read();
  if (cut.verb === 'DELETE' && hasBlankNode(block)) {
    throw syntaxError('DELETE DATA cannot contain blank nodes', source, cut.runs[0]?.start ?? 0);
  }
  return withoutNone(block);
}

class Extract {
  readonly #source: string;
  readonly #text: string;
  readonly #pieces: { readonly at: number; readonly start: number }[] = [];

  constructor({ runs }: DataCut, source: string, prologue: string) {
    this.#source = source;
    const parts = [prologue];
    let at = prologue.length;
    for (const run of runs) {
      const { graph, start, end } = run;
      const head = graph === undefined ? `<${NONE}> {` : `GRAPH ${graph} {`;
      this.#pieces.push({ at: at + head.length, start });
      // The closing brace is on a new line, because the run may end with a comment.
      parts.push(head, inLowerCase(source, run), '\n}\n');
      at += head.length + end - start + 3;
    }
    this.#text = parts.join('');
  }

  read(): QuadBlock {
    try {
      return parseTurtle(Buffer.from(this.#text), { mediaType: 'application/trig', baseIri: 'urn:x:none' });
    } catch (error) {
      if (!(error instanceof RdfError)) throw error;
      const { line = 1, column = 1 } = error.details;
      if (error.code !== 'parse-error') throw new AppError('too-large', error.message, { source: 'body' });
      throw syntaxError(error.message, this.#source, this.#offsetOf(line, column));
    }
  }

  /** Converts a position in the extract to an offset in the source. */
  #offsetOf(line: number, column: number): number {
    let start = 0;
    for (let passed = 1; passed < line; passed++) start = this.#text.indexOf('\n', start) + 1;
    const offset = start + column - 1;
    const piece = this.#pieces.findLast(({ at }) => at <= offset) ?? this.#pieces[0]!;
    return Math.min(this.#source.length, piece.start + Math.max(0, offset - piece.at));
  }
}

/** A run whose booleans TriG can read; everything stays where it is. */
function inLowerCase(source: string, { start, end, capitals }: DataRun): string {
  const pieces: string[] = [];
  let at = start;
  for (const { start: next, text } of capitals) {
    pieces.push(source.slice(at, next), text.toLowerCase());
    at = next + text.length;
  }
  return pieces.join('') + source.slice(at, end);
}

function hasBlankNode({ termBytes, termOffsets }: QuadBlock): boolean {
  return termOffsets.subarray(0, -1).some((start) => termBytes[start] === 0x5f);
}

function withoutNone(block: QuadBlock): QuadBlock {
  const { termBytes, termOffsets, quads } = block;
  const none = Buffer.from(`<${NONE}>`);
  const isNone = (index: number) =>
    none.equals(termBytes.subarray(termOffsets[index]!, termOffsets[index + 1]!));
  let known = NO_GRAPH;
  for (let at = 3; at < quads.length; at += 4) {
    if (quads[at] !== known && isNone(quads[at]!)) known = quads[at]!;
    if (quads[at] === known) quads[at] = NO_GRAPH;
  }
  return block;
}
