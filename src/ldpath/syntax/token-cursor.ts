import type { LdPathError, LdPathErrorCode } from '../errors.ts';
import { type Lexed, type Token, type TokenKind, tokenize } from './lexer.ts';
import type { SourceText } from './source-text.ts';

/** A more specific reason than "expected ... but found ...". */
interface Complaint {
  readonly code: LdPathErrorCode;
  readonly message: string;
}

/**
 * A position in the tokens, with a record of the furthest failure of all attempts, which is
 * reported (ldpath 6.3) with everything that was expected there.
 */
export class TokenCursor {
  readonly source: SourceText;
  readonly tokens: readonly Token[];
  index = 0;
  readonly #lexed: Lexed;
  #furthest = 0;
  #expected = new Set<string>();
  #complaint: Complaint | undefined;

  constructor(source: SourceText) {
    this.source = source;
    this.#lexed = tokenize(source);
    this.tokens = this.#lexed.tokens;
  }

  /** Offset of an unterminated comment, before which the tokens end. */
  get unclosedComment(): number | undefined {
    return this.#lexed.unclosedComment;
  }

  peek(ahead = 0): Token {
    return this.tokens[this.index + ahead] ?? this.tokens.at(-1)!;
  }

  at(kind: TokenKind): boolean {
    return this.peek().kind === kind;
  }

  /** Consumes a token of this kind, or records that it was expected. */
  take(kind: TokenKind, expected: string = `"${kind}"`): Token | null {
    const token = this.peek();
    if (token.kind !== kind) return this.expect(expected);
    this.index++;
    return token;
  }

  /** Returns the end of the construct that was read last. */
  lastEnd(): number {
    return this.tokens[this.index - 1]?.end ?? 0;
  }

  /** Whether the token directly follows the previous one. */
  touches(ahead = 0): boolean {
    return this.peek(ahead).start === this.peek(ahead - 1).end;
  }

  /** Records what was expected here; always returns null, which means a failed reading. */
  expect(what: string): null {
    if (this.#reaches()) this.#expected.add(what);
    return null;
  }

  complain(code: LdPathErrorCode, message: string): null {
    if (this.#reaches()) this.#complaint ??= { code, message };
    return null;
  }

  /** Returns the error of the furthest failure. */
  error(): LdPathError {
    const token = this.tokens[this.#furthest] ?? this.tokens.at(-1)!;
    if (token.kind === 'error') return this.#lexed.error!;
    const expected = [...this.#expected].sort();
    const found = describe(token, this.source.text);
    if (this.#complaint !== undefined) {
      return this.source.error(this.#complaint.code, this.#complaint.message, token.start, {
        found,
        expected,
      });
    }
    const comment = this.unclosedComment;
    if (token.kind === 'end' && comment !== undefined) return this.#commentError(comment, expected);
    const message = `Expected ${listed(expected)} but found ${found}`;
    return this.source.error('parse-error', message, token.start, { found, expected });
  }

  #commentError(start: number, expected: readonly string[]): LdPathError {
    const hint = 'if "/*" is meant as a step and a wildcard, put a blank between them';
    const message = `This comment is never closed, and before it ${listed(expected)} is missing; ${hint}`;
    return this.source.error('parse-error', message, start, { found: '/*', expected });
  }

  #reaches(): boolean {
    if (this.index > this.#furthest) {
      this.#furthest = this.index;
      this.#expected = new Set();
      this.#complaint = undefined;
    }
    return this.index === this.#furthest;
  }
}

function describe(token: Token, text: string): string {
  if (token.kind === 'end') return 'end of input';
  const shown = text.slice(token.start, Math.min(token.end, token.start + MAX_SHOWN));
  return token.end - token.start > MAX_SHOWN ? `${shown}...` : shown;
}

const MAX_SHOWN = 60;

function listed(expected: readonly string[]): string {
  if (expected.length <= 1) return expected[0] ?? 'something else';
  return `${expected.slice(0, -1).join(', ')} or ${expected.at(-1)}`;
}
