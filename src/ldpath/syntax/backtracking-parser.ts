/**
 * The common parts of all grammar rules: attempts that restore the cursor, readings memoized by
 * token, a limit on nesting, and runs of `&` and `|`. A reading that fails is null.
 */
import type { Span } from './ast.ts';
import type { TokenKind } from './lexer.ts';
import { NameReader } from './name-reader.ts';
import type { SourceText } from './source-text.ts';
import { TokenCursor } from './token-cursor.ts';

export type Reading<T> = T | null;

export interface Remembered<T> {
  readonly result: Reading<T>;
  readonly next: number;
}

/** Maximum nesting of brackets, of changes between `&` and `|`, and of `!`. */
const MAX_NESTING = 200;
/** Each bracket enters `selector` or `test`, and then `path`. */
const LEVELS_A_BRACKET = 2;

export abstract class BacktrackingParser {
  readonly cursor: TokenCursor;
  readonly names: NameReader;
  #depth = 0;

  constructor(source: SourceText, prefixes: Readonly<Record<string, string>>) {
    this.cursor = new TokenCursor(source);
    this.names = new NameReader(this.cursor, prefixes);
  }

  protected separated<T>(separator: TokenKind, item: () => Reading<T>): Reading<T[]> {
    const items: T[] = [];
    do {
      const one = item();
      if (one === null) return null;
      items.push(one);
    } while (this.cursor.take(separator) !== null);
    return items;
  }

  protected binaryOperator(): '|' | '&' | null {
    const { kind } = this.cursor.peek();
    if (kind === '|' || kind === '&') return kind;
    this.cursor.expect('"|"');
    return this.cursor.expect('"&"');
  }

  /**
   * Reads a run of one operator; where the operator changes, the rest is nested into the last
   * operand (1.7).
   */
  protected operands<T>(first: T, operator: '|' | '&', next: () => Reading<T>, tail: (operand: T) => T): T[] {
    const operands = [first];
    while (this.cursor.at(operator)) {
      const operand = this.after(operator, next);
      if (operand === null) return operands;
      if (this.cursor.at(operator === '|' ? '&' : '|')) {
        operands.push(this.nested(() => tail(operand)));
        return operands;
      }
      operands.push(operand);
    }
    return operands;
  }

  protected after<T>(kind: TokenKind, read: () => Reading<T>): Reading<T> {
    return this.attempt(() => (this.cursor.take(kind) === null ? null : read()));
  }

  protected attempt<T>(read: () => Reading<T>): Reading<T> {
    const start = this.cursor.index;
    const result = read();
    if (result === null) this.cursor.index = start;
    return result;
  }

  protected remembered<T>(memory: Map<number, Remembered<T>>, read: () => Reading<T>): Reading<T> {
    const start = this.cursor.index;
    let found = memory.get(start);
    if (found === undefined) {
      const result = this.nested(read);
      found = { result, next: result === null ? start : this.cursor.index };
      memory.set(start, found);
    }
    this.cursor.index = found.next;
    return found.result;
  }

  protected nested<T>(read: () => T): T {
    if (++this.#depth > MAX_NESTING * LEVELS_A_BRACKET) this.tooDeep('Nested too deeply');
    const result = read();
    this.#depth--;
    return result;
  }

  protected tooDeep(message: string): never {
    throw this.cursor.source.error('parse-error', message, this.cursor.peek().start);
  }

  protected spanFrom(start: number): Span {
    return { start, end: this.cursor.lastEnd() };
  }
}
