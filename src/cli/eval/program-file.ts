import { readFile } from 'node:fs/promises';
import { compileProgram } from '../../ldpath/compile/compiler.ts';
import { LdPathError } from '../../ldpath/errors.ts';
import type { ShapeOptions } from '../../ldpath/shapes/format.ts';
import { programShapes } from '../../ldpath/shapes/program-shapes.ts';
import { type Frame, noFrame } from '../../ldpath/shapes/result-shape.ts';

export interface CheckedProgram {
  readonly source: string;
  /** Of the format. */
  readonly frame: Frame;
}

interface Place {
  readonly line: number;
  readonly column: number;
}

/**
 * Reads a program and compiles it for a format, so that errors are reported early. Throws an error
 * whose message shows the position; passes warnings to `warn`.
 */
export async function readProgram(
  file: string,
  prefixes: Readonly<Record<string, string>>,
  shape: ShapeOptions | undefined,
  warn: (message: string) => void,
): Promise<CheckedProgram> {
  const source = await readFile(file, 'utf8');
  try {
    const program = compileProgram(source, { prefixes });
    for (const { message, ...place } of program.warnings) {
      warn(pointed(file, source, place, `warning: ${message}`));
    }
    return { source, frame: shape ? programShapes(program, shape).listed.frame : noFrame };
  } catch (error) {
    if (!(error instanceof LdPathError)) throw error;
    const { line, column } = error.details;
    if (line === undefined || column === undefined) throw error;
    const message = error.message.replace(/ \(line \d+, column \d+\)$/, '');
    throw new Error(pointed(file, source, { line, column }, message), { cause: error });
  }
}

/** Returns the message, the line in question, and a caret below the position. */
function pointed(file: string, source: string, { line, column }: Place, message: string): string {
  const text = source.split(/\r\n|\r|\n/)[line - 1] ?? '';
  const before = Array.from(text).slice(0, column - 1);
  const indent = before.map((character) => (character === '\t' ? '\t' : ' ')).join('');
  return `${file}:${line}:${column}: ${message}\n  ${text}\n  ${indent}^`;
}
