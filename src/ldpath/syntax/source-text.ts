import { LdPathError, type LdPathErrorCode } from '../errors.ts';
import type { Span } from './ast.ts';

/** 1-based; columns count code points. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** A part of the text, as editors need it. */
export interface Place extends Position {
  /** 0-based, in UTF-16 code units. */
  readonly offset: number;
  /** In UTF-16 code units. */
  readonly length: number;
}

interface Expectation {
  readonly found?: string;
  readonly expected?: readonly string[];
}

/**
 * A program or path as received; knows its lines, and creates errors that refer to positions in the
 * text.
 */
export class SourceText {
  readonly text: string;
  readonly kind: 'path' | 'program';
  #lineStarts: readonly number[] | undefined;
  /** The last position that was asked for: the next one is often on the same line after it. */
  #last = { lineStart: 0, offset: 0, column: 1 };

  constructor(text: string, kind: 'path' | 'program') {
    this.text = text;
    this.kind = kind;
  }

  position(offset: number): Position {
    const lineStarts = this.#starts();
    const line = lineOf(lineStarts, offset);
    const lineStart = lineStarts[line - 1]!;
    const last = this.#last;
    const isAfter = last.lineStart === lineStart && last.offset <= offset;
    const from = isAfter ? last : { offset: lineStart, column: 1 };
    const column = from.column + codePoints(this.text, from.offset, offset);
    this.#last = { lineStart, offset, column };
    return { line, column };
  }

  place({ start, end }: Span): Place {
    return { ...this.position(start), offset: start, length: end - start };
  }

  /** Returns the offset of a position, in UTF-16 code units. */
  offset({ line, column }: Position): number {
    let offset = this.#starts()[line - 1]!;
    for (let i = 1; i < column; i++) offset += unitsAt(this.text, offset);
    return offset;
  }

  #starts(): readonly number[] {
    this.#lineStarts ??= findLineStarts(this.text);
    return this.#lineStarts;
  }

  error(code: LdPathErrorCode, message: string, offset: number, more: Expectation = {}): LdPathError {
    const { line, column } = this.position(offset);
    const sourceLine = this.#line(line);
    const details = { line, column, source: this.kind, sourceLine, ...more };
    return new LdPathError(code, `${message} (line ${line}, column ${column})`, details);
  }

  #line(line: number): string {
    const start = this.#lineStarts![line - 1]!;
    const end = this.#lineStarts![line] ?? this.text.length;
    return this.text.slice(start, Math.min(end, start + MAX_SHOWN)).replace(/[\r\n]+$/, '');
  }
}

const MAX_SHOWN = 500;

/** Returns the 1-based line of an offset. */
function lineOf(lineStarts: readonly number[], offset: number): number {
  let low = 0;
  let high = lineStarts.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (lineStarts[middle]! <= offset) low = middle;
    else high = middle;
  }
  return low + 1;
}

function codePoints(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = from; at < to; at += unitsAt(text, at)) count++;
  return count;
}

function unitsAt(text: string, offset: number): number {
  return (text.codePointAt(offset) ?? 0) > 0xffff ? 2 : 1;
}

function findLineStarts(text: string): number[] {
  return [0, ...Array.from(text.matchAll(/\r\n|\r|\n/g), (match) => match.index + match[0].length)];
}
