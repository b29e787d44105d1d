import { compilePath, compileProgram } from '../../../src/ldpath/compile/compiler.ts';
import { Evaluator } from '../../../src/ldpath/evaluate/evaluation.ts';
import type { ShapeOptions } from '../../../src/ldpath/shapes/format.ts';
import { pathShapes, programShapes } from '../../../src/ldpath/shapes/program-shapes.ts';
import type { PathGraph } from '../../../src/rdf/model/path-graph.ts';

const PREFIXES = { ex: 'http://example.org/' };

export type Shaping = ShapeOptions & { readonly starts: readonly string[] };

/** The whole response for several start resources, which are names in `ex:` or canonical terms. */
export function shapedProgram(graph: PathGraph, source: string, { starts, ...options }: Shaping): string {
  const evaluator = new Evaluator();
  const program = compileProgram(source, { prefixes: PREFIXES });
  const { listed } = programShapes(program, options);
  const out = evaluator.newWriter();
  for (const start of starts.map(termOf)) {
    evaluator.writeProgramIn(listed, program, { graph, start }, out);
    const filter = program.filter && evaluator.acceptsStart(program, graph, start);
    const boost = program.boost && evaluator.boost(program, graph, start);
    listed.end({ filter, boost }, out);
  }
  return framed(listed.frame, out.slice());
}

export function shapedPath(graph: PathGraph, source: string, { starts, ...options }: Shaping): string {
  const evaluator = new Evaluator();
  const path = compilePath(source, { prefixes: PREFIXES });
  const { listed } = pathShapes(options);
  const out = evaluator.newWriter();
  for (const start of starts.map(termOf)) {
    evaluator.writePathIn(listed, path, { graph, start }, out);
    listed.end({ filter: undefined, boost: undefined }, out);
  }
  return framed(listed.frame, out.slice());
}

function termOf(start: string): string {
  return /^[<_]/.test(start) ? start : `<http://example.org/${start}>`;
}

function framed({ head, tail, lead }: { head: string; tail: string; lead: number }, bytes: Uint8Array) {
  return head + Buffer.from(bytes.subarray(lead)).toString() + tail;
}

/** Reads CSV as RFC 4180 says; strict about quotes and line ends. */
export function readCsv(text: string): string[][] {
  const rows: string[][] = [];
  let at = 0;
  while (at < text.length) {
    const row: string[] = [];
    for (;;) {
      let cell = '';
      if (text[at] === '"') {
        for (at++; text[at] !== '"' || text[at + 1] === '"'; at++) {
          if (at >= text.length) throw new Error('A quote is not closed.');
          cell += text[at];
          if (text[at] === '"') at++;
        }
        at++;
      } else {
        for (; at < text.length && text[at] !== ',' && text[at] !== '\r'; at++) {
          if (text[at] === '"' || text[at] === '\n')
            throw new Error(`Not allowed outside of quotes at ${at}.`);
          cell += text[at];
        }
      }
      row.push(cell);
      if (text[at] !== ',') break;
      at++;
    }
    if (text.slice(at, at + 2) !== '\r\n') throw new Error(`A row must end with CRLF at ${at}.`);
    at += 2;
    rows.push(row);
  }
  return rows;
}

/** Splits a cell with several values, in which a backslash protects the separator and itself. */
export function splitCell(cell: string, separator: string): string[] {
  return valuesIn(cell, separator, (letter) => letter);
}

const tsvEscapes: Readonly<Record<string, string>> = { t: '\t', n: '\n', r: '\r' };

/** Reads TSV; each cell as its values. */
export function readTsv(text: string, separator: string): string[][][] {
  const rows = text.split('\n');
  if (rows.pop() !== '') throw new Error('The last row has no end.');
  return rows.map((row) => row.split('\t').map((cell) => readTsvCell(cell, separator)));
}

function readTsvCell(cell: string, separator: string): string[] {
  return valuesIn(cell, separator, (letter) => tsvEscapes[letter] ?? letter);
}

/** `meaning`: returns what a character after a backslash stands for. */
function valuesIn(cell: string, separator: string, meaning: (letter: string) => string): string[] {
  const values: string[] = [];
  let value = '';
  for (let i = 0; i < cell.length; i++) {
    const unit = cell.charAt(i);
    if (unit === '\\') value += meaning(cell.charAt(++i));
    else if (unit === separator) {
      values.push(value);
      value = '';
    } else value += unit;
  }
  return [...values, value];
}
