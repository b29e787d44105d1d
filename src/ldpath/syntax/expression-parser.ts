/**
 * Parses tests (ldpath 1.8), and with them whole expressions. The discarded attempts at `Selector
 * 'is' Node` do not cost twice, because selectors, paths and tests are memoized by token.
 */

import { testFunctions } from '../functions/catalog.ts';
import type * as ast from './ast.ts';
import type { Reading, Remembered } from './backtracking-parser.ts';
import type { TokenKind } from './lexer.ts';
import { SelectorParser } from './selector-parser.ts';

export class ExpressionParser extends SelectorParser {
  readonly #tests = new Map<number, Remembered<ast.Test>>();
  /**
   * The `is` tokens that can't be part of a valid reading, because the tokens after them do not
   * fit.
   */
  readonly #failedIs = new Set<number>();

  /** Test <- Unary ( ( '&' / '|' ) Test )? */
  test(): Reading<ast.Test> {
    return this.remembered(this.#tests, () => {
      const first = this.#unary();
      return first === null ? null : this.#testTail(first);
    });
  }

  #testTail(first: ast.Test): ast.Test {
    const operator = this.binaryOperator();
    if (operator === null) return first;
    const operands = this.operands(
      first,
      operator,
      () => this.#unary(),
      (operand) => this.#testTail(operand),
    );
    if (operands.length === 1) return first;
    return { kind: operator === '|' ? 'or' : 'and', operands, ...this.spanFrom(first.start) };
  }

  /** Unary <- '!' '(' Test ')' &Follow / '!' Test / Basic */
  #unary(): Reading<ast.Test> {
    if (!this.cursor.at('!')) return this.#basicTest();
    const { start } = this.cursor.peek();
    const test = this.after('!', () => this.attempt(() => this.#testGroup()) ?? this.test());
    return test === null ? null : { kind: 'not', test, ...this.spanFrom(start) };
  }

  #basicTest(): Reading<ast.Test> {
    switch (this.cursor.peek().kind) {
      case '@':
        return this.attempt(() => this.#languageTest());
      case '^^':
        return this.attempt(() => this.#datatypeTest());
      case 'is-a':
        return this.attempt(() => this.#isA());
      default:
        return this.#pathTest();
    }
  }

  /** The order is that of the grammar, and is significant (1.8). */
  #pathTest(): Reading<ast.Test> {
    return (
      this.attempt(() => this.#is()) ??
      this.attempt(() => this.#callTest()) ??
      this.attempt(() => this.#testGroup()) ??
      this.attempt(() => this.#exists())
    );
  }

  #languageTest(): Reading<ast.Test> {
    const { start } = this.cursor.take('@')!;
    const tag = this.names.languageTag();
    if (tag === null) return null;
    const range = this.cursor.at('*');
    if (range) this.cursor.index++;
    return { kind: 'language', tag: tag.toLowerCase(), range, ...this.spanFrom(start) };
  }

  #datatypeTest(): Reading<ast.Test> {
    const { start } = this.cursor.take('^^')!;
    const iri = this.names.iri('a datatype');
    return iri === null ? null : { kind: 'datatype', iri, ...this.spanFrom(start) };
  }

  #isA(): Reading<ast.Test> {
    const { start } = this.cursor.take('is-a')!;
    const term = this.#node();
    return term === null ? null : { kind: 'is-a', term, ...this.spanFrom(start) };
  }

  #is(): Reading<ast.Test> {
    if (this.#cannotBeIs()) return null;
    const { start } = this.cursor.peek();
    const selector = this.selector();
    const operator = this.cursor.index;
    if (selector === null || this.cursor.take('is', '"is"') === null) return null;
    const term = this.#node();
    if (term !== null && this.#follows()) return { kind: 'is', selector, term, ...this.spanFrom(start) };
    this.#failedIs.add(operator);
    return null;
  }

  /**
   * Whether earlier readings already rule out an `is` test. Reading the selector again would take
   * quadratic time over a long run of operands.
   */
  #cannotBeIs(): boolean {
    const end = this.selectorEnds.get(this.cursor.index);
    return end !== undefined && (this.cursor.tokens[end]!.kind !== 'is' || this.#failedIs.has(end));
  }

  #callTest(): Reading<ast.Test> {
    if (!this.cursor.at('fn:')) return null;
    const { start } = this.cursor.peek();
    const call = this.call(testFunctions, '');
    if (call === null || !this.#follows()) return null;
    return { kind: 'test-call', ...call, ...this.spanFrom(start) };
  }

  #testGroup(): Reading<ast.Test> {
    if (!this.cursor.at('(')) return null;
    const { start } = this.cursor.peek();
    this.cursor.index++;
    const test = this.test();
    if (test === null || this.cursor.take(')') === null || !this.#follows()) return null;
    return { kind: 'test-group', test, ...this.spanFrom(start) };
  }

  #exists(): Reading<ast.Test> {
    const { start } = this.cursor.peek();
    const path = this.path();
    return path === null || !this.#follows() ? null : { kind: 'exists', path, ...this.spanFrom(start) };
  }

  /** Follow <- '&' / '|' / ']' / ')' / ';' / EOF */
  #follows(): boolean {
    if (followers.has(this.cursor.peek().kind)) return true;
    for (const follower of ['"&"', '"|"', '"]"']) this.cursor.expect(follower);
    return false;
  }

  /** Node <- Iri / Literal */
  #node(): Reading<string> {
    const namesIri = this.cursor.at('iri') || this.cursor.at(':') || this.cursor.peek(1).kind === ':';
    const literal = namesIri ? null : this.names.literal();
    if (literal !== null) return literal;
    const iri = this.names.iri();
    return iri === null ? null : `<${iri}>`;
  }
}

const followers: ReadonlySet<TokenKind> = new Set(['&', '|', ']', ')', ';', 'end']);
