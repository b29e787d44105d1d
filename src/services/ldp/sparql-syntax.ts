import { parseError } from '../../rdf/errors.ts';
import { positionIn } from '../../sparql/language/position.ts';
import type { SparqlOperation, SparqlSegment } from './sparql-operations.ts';

type Store = import('oxigraph').Store;

/** Fails when it is run, and so keeps what follows from being run; but all of it is parsed before. */
const BARRIER = 'DROP GRAPH <urn:x-pathpool:none> ;';
const stopped = 'The graph <urn:x-pathpool:none> does not exist';

/** A segment behind a barrier, which tells where its faults lie in the source. */
class SegmentText {
  readonly text: string;
  readonly #pieces: { readonly at: number; readonly start: number }[] = [];

  constructor({ declarations, operations }: SparqlSegment, source: string) {
    const head = declarations + BARRIER;
    let text = head;
    for (const operation of operations) {
      const { start, end } = extentOf(operation);
      text += text === head ? ' ' : ' ;\n';
      this.#pieces.push({ at: text.length, start });
      text += source.slice(start, end);
    }
    this.text = text;
  }

  /** The offset in the source of a position here. */
  offsetOf(line: number, column: number): number {
    const lines = this.text.split('\n', line);
    const before = lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0);
    // Columns are counted in characters, not in code units.
    const inLine = Array.from(lines[line - 1] ?? '').slice(0, column - 1);
    const offset = before + inLine.join('').length;
    const piece = this.#pieces.findLast(({ at }) => at <= offset) ?? this.#pieces[0]!;
    return piece.start + Math.max(0, offset - piece.at);
  }
}

/** Has Oxigraph parse all of it, and run nothing. Throws `parse-error` with line and column. */
export function checkSyntax(
  store: Store,
  segments: readonly SparqlSegment[],
  source: string,
  base: string,
): void {
  for (const segment of segments) {
    const text = new SegmentText(segment, source);
    try {
      store.update(text.text, { base_iri: base });
    } catch (error) {
      if (!(error instanceof Error) || error.name === 'RuntimeError') throw error;
      if (error.message !== stopped) throw syntaxError(error.message, text, source);
    }
  }
}

const located = /^error at (\d+):(\d+): (.*)$/s;
/** Characters of a message that is a long list of what could stand in a place. */
const SHOWN = 200;

function syntaxError(message: string, text: SegmentText, source: string): Error {
  const [, line, column, what] = located.exec(message) ?? [];
  const shown = (what ?? message).replaceAll(/\s+/g, ' ').slice(0, SHOWN).toWellFormed();
  const position =
    line === undefined ? undefined : positionIn(source, text.offsetOf(Number(line), Number(column)));
  return parseError(`The update is not valid SPARQL: ${shown}`, position);
}

function extentOf({ tokens }: SparqlOperation): { start: number; end: number } {
  const last = tokens.at(-1)!;
  return { start: tokens[0]!.start, end: last.start + last.text.length };
}
