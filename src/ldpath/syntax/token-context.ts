import type { Token, TokenKind } from './lexer.ts';

/**
 * For every token, whether a test may start there: inside `[...]` and `@filter`, at the start and
 * after an operator of tests. There `!` is negation; elsewhere it is the alias of `*!` (ldpath
 * 8.2). A single pass over the brackets decides this, so the parser's attempts do not have to pass
 * it along.
 */
export function testStarts(tokens: readonly Token[]): readonly boolean[] {
  const opened: boolean[] = [];
  let inTest = false;
  return tokens.map((token, i) => {
    const before = tokens[i - 1]?.kind;
    const starts = inTest && before !== undefined && leadsToTest.has(before);
    if (opensBracket.has(token.kind)) {
      opened.push(inTest);
      inTest = token.kind === '[' || (starts && token.kind === '(');
    } else if (closesBracket.has(token.kind)) {
      inTest = opened.pop() ?? false;
    } else if (opened.length === 0 && (token.kind === ';' || token.kind === '@filter')) {
      inTest = token.kind === '@filter';
    }
    return starts;
  });
}

const leadsToTest: ReadonlySet<TokenKind> = new Set(['[', '(', '&', '|', '!', '@filter']);
const opensBracket: ReadonlySet<TokenKind> = new Set(['[', '(', '{']);
const closesBracket: ReadonlySet<TokenKind> = new Set([']', ')', '}']);
