import type { Position } from '../position.ts';

/** A token of N3.js: lines from 1, columns from 0. */
export interface Token {
  readonly type: string;
  readonly value: string;
  readonly line: number;
  readonly start: number;
  readonly end: number;
  readonly endLine?: number;
}

export function startOf(token: Token): Position {
  return { line: token.line, column: token.start + 1 };
}
