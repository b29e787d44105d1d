import { randomUUID } from 'node:crypto';
import { AppError } from '../../../errors.ts';
import { RdfError } from '../../../rdf/formats/errors.ts';
import { parseTurtle } from '../../../rdf/formats/turtle/parse.ts';
import { NO_GRAPH, type QuadBlock } from '../../../rdf/model/quad-block.ts';
import type { DataCut, DataRun } from './data-cuts.ts';
import { syntaxError } from './parser.ts';

/**
 * Stands for no graph: TriG takes the last dot away only within a graph. Nobody can guess it, so no
 * text names it.
 */
const NONE = `urn:uuid:${randomUUID()}`;

/**
 * Reads data as TriG, of which they are an extract. Errors: `parse-error` with the line and the
 * column in the source, also for the little that SPARQL allows and TriG does not: a collection
 * without a predicate; `too-large`.
 *
 * `prologue`: the declarations that hold.
 */
export function cutBlock(cut: DataCut, source: string, prologue: string): QuadBlock {
  const document = new Extract(cut, source, prologue);
  const block = document.read();
  if (cut.verb === 'DELETE' && hasBlankNode(block)) {
    throw syntaxError('Blank nodes can not be deleted by data', source, cut.runs[0]?.start ?? 0);
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
      // A comment may end the run.
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

  /** The offset in the source of a position here. */
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
