import { LdPathError, type LdPathErrorCode } from '../errors.ts';

/** 1-based; columns count code points. */
export interface Position {
  readonly line: number;
  readonly column: number;
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

  constructor(text: string, kind: 'path' | 'program') {
    this.text = text;
    this.kind = kind;
  }

  position(offset: number): Position {
    this.#lineStarts ??= findLineStarts(this.text);
    const next = this.#lineStarts.findIndex((start) => start > offset);
    const line = next < 0 ? this.#lineStarts.length : next;
    const start = this.#lineStarts[line - 1]!;
    return { line, column: [...this.text.slice(start, offset)].length + 1 };
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

function findLineStarts(text: string): number[] {
  return [0, ...Array.from(text.matchAll(/\r\n|\r|\n/g), (match) => match.index + match[0].length)];
}
