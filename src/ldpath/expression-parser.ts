/**
 * Selectors and tests: recursive descent over the grammar of ldpath 1.8 with the extensions of 8.2. A reading that
 * fails is null and leaves the cursor where it was put back by its caller; the attempts at `Selector 'is' Node`
 * that are thrown away cost nothing twice, because `selector`, `path` and `test` are remembered by token.
 */
import type * as ast from './ast.ts';
import { selectorFunctions, testFunctions } from './functions/registry.ts';
import type { TokenKind } from './lexer.ts';
import { NameReader } from './name-reader.ts';
import type { SourceText } from './source-text.ts';
import { didYouMean } from './suggestion.ts';
import { testStarts } from './token-context.ts';
import { TokenCursor } from './token-cursor.ts';

type Reading<T> = T | null;

/** Levels of brackets, of changes between `&` and `|`, and of `!`. */
const MAX_NESTING = 200;
/** Postfix operators on one step. */
const MAX_POSTFIXES = 20;

export class ExpressionParser {
  readonly cursor: TokenCursor;
  readonly names: NameReader;
  readonly #testStarts: readonly boolean[];
  #depth = 0;
  readonly #selectors = new Map<number, Remembered<ast.Selector>>();
  readonly #paths = new Map<number, Remembered<ast.Selector>>();
  readonly #tests = new Map<number, Remembered<ast.Test>>();
  /** By token of each operand of a union or intersection: where a selector that starts there ends. */
  readonly #selectorEnds = new Map<number, number>();
  /** The `is` tokens that no reading can use, since what follows them does not fit. */
  readonly #failedIs = new Set<number>();

  constructor(source: SourceText, prefixes: Readonly<Record<string, string>>) {
    this.cursor = new TokenCursor(source);
    this.names = new NameReader(this.cursor, prefixes);
    this.#testStarts = testStarts(this.cursor.tokens);
  }

  /** Selector <- PathSel ( ( '|' / '&' ) Selector )? */
  selector(): Reading<ast.Selector> {
    return this.#remembered(this.#selectors, () => {
      const first = this.#path();
      return first === null ? null : this.#setTail(first);
    });
  }

  /** Test <- Unary ( ( '&' / '|' ) Test )? */
  test(): Reading<ast.Test> {
    return this.#remembered(this.#tests, () => {
      const first = this.#unary();
      return first === null ? null : this.#testTail(first);
    });
  }

  // --- selectors ---

  #setTail(first: ast.Selector): ast.Selector {
    const operator = this.#binaryOperator();
    if (operator === null) return first;
    const starts: number[] = [];
    const operands = this.#operands(
      first,
      operator,
      () => {
        starts.push(this.cursor.index);
        return this.#path();
      },
      (operand) => this.#setTail(operand),
    );
    for (const start of starts) this.#selectorEnds.set(start, this.cursor.index);
    if (operands.length === 1) return first;
    const kind = operator === '|' ? 'union' : 'intersection';
    return { kind, operands, ...this.#spanFrom(first.start) };
  }

  /** PathSel <- Step ( '/' PathSel )? */
  #path(): Reading<ast.Selector> {
    return this.#remembered(this.#paths, () => {
      const first = this.#step();
      if (first === null) return null;
      const steps = [first];
      for (;;) {
        const step = this.#after('/', () => this.#step());
        if (step === null) break;
        steps.push(step);
      }
      return steps.length === 1 ? first : { kind: 'path', steps, ...this.#spanFrom(first.start) };
    });
  }

  /** Step <- Atom Postfix* */
  #step(): Reading<ast.Selector> {
    let step = this.#atom();
    for (let count = 0; step !== null; count++) {
      const postfixed = this.#postfix(step);
      if (postfixed === null) return step;
      if (count === MAX_POSTFIXES) this.#tooDeep('Too many postfix operators on one step');
      step = postfixed;
    }
    return null;
  }

  /** Postfix <- '[' Test ']' / '+' / '*' / '?' / '{' Range '}' */
  #postfix(selector: ast.Selector): Reading<ast.Selector> {
    switch (this.cursor.peek().kind) {
      case '[':
        return this.#filtered(selector);
      case '+':
      case '*': {
        const reflexive = this.cursor.at('*');
        this.cursor.index++;
        return { kind: 'closure', selector, reflexive, ...this.#spanFrom(selector.start) };
      }
      case '?':
        this.cursor.index++;
        return { kind: 'bounded', selector, min: 0, max: 1, ...this.#spanFrom(selector.start) };
      case '{':
        return this.#attempt(() => this.#bounded(selector));
      default:
        return this.cursor.expect('a postfix operator');
    }
  }

  #filtered(selector: ast.Selector): Reading<ast.Selector> {
    const tests: ast.Test[] = [];
    for (;;) {
      const test = this.#attempt(() => this.#bracketedTest());
      if (test === null) break;
      tests.push(test);
    }
    return tests.length === 0
      ? null
      : { kind: 'filtered', selector, tests, ...this.#spanFrom(selector.start) };
  }

  #bracketedTest(): Reading<ast.Test> {
    if (this.cursor.take('[') === null) return null;
    const test = this.test();
    return test !== null && this.cursor.take(']') !== null ? test : null;
  }

  /** Range <- Int ',' Int? / ',' Int / Int */
  #bounded(selector: ast.Selector): Reading<ast.Selector> {
    const open = this.cursor.take('{')!;
    const min = this.#bound();
    const comma = this.cursor.take(',') !== null;
    const max = comma ? this.#bound() : min;
    if ((min === null && max === null) || this.cursor.take('}') === null) return null;
    const [from, to] = [min ?? 0, max ?? Number.POSITIVE_INFINITY];
    if (from > to) {
      throw this.cursor.source.error('parse-error', `The bounds {${from},${to}} are empty`, open.start);
    }
    return { kind: 'bounded', selector, min: from, max: to, ...this.#spanFrom(selector.start) };
  }

  #bound(): Reading<number> {
    const token = this.cursor.peek();
    if (token.kind !== 'name' || !/^[0-9]{1,9}$/.test(token.value)) return this.cursor.expect('a number');
    this.cursor.index++;
    return Number(token.value);
  }

  #atom(): Reading<ast.Selector> {
    const { kind, start } = this.cursor.peek();
    switch (kind) {
      case '.':
        this.cursor.index++;
        return { kind: 'self', ...this.#spanFrom(start) };
      case '*':
        this.cursor.index++;
        return this.#wildcard(start, false);
      case '!':
        return this.#negatedProperty();
      case '~':
        this.cursor.index++;
        return this.#subProperty(start, false);
      case '^':
        return this.#attempt(() => this.#inverse());
      case 'fn:':
        return this.#attempt(() => this.#selectorCall());
      case '(':
        return this.#attempt(() => this.#group());
      default:
        return this.#constantOrProperty();
    }
  }

  #constantOrProperty(): Reading<ast.Selector> {
    const { kind, start } = this.cursor.peek();
    const namesProperty = kind === 'iri' || kind === ':' || this.cursor.peek(1).kind === ':';
    const term = namesProperty ? null : this.names.literal();
    if (term !== null) return { kind: 'constant', term, ...this.#spanFrom(start) };
    const iri = this.names.iri('a property');
    return iri === null
      ? this.cursor.expect('a selector')
      : { kind: 'property', iri, inverse: false, ...this.#spanFrom(start) };
  }

  #wildcard(start: number, inverse: boolean): ast.Selector {
    const except = this.#after('!', () => (this.cursor.at('(') ? this.#exceptList() : null)) ?? [];
    return { kind: 'wildcard', inverse, except, ...this.#spanFrom(start) };
  }

  /** `!p` and `!(p | q)`, where a test can not start. */
  #negatedProperty(): Reading<ast.Selector> {
    if (this.#testStarts[this.cursor.index]) return this.cursor.expect('a selector');
    const { start } = this.cursor.peek();
    const except = this.#after('!', () => (this.cursor.at('(') ? this.#exceptList() : this.#exceptOne()));
    return except === null ? null : { kind: 'wildcard', inverse: false, except, ...this.#spanFrom(start) };
  }

  /** '(' ExItem ( '|' ExItem )* ')' */
  #exceptList(): Reading<string[]> {
    this.cursor.index++;
    const iris = this.#separated('|', () => this.names.iri('a property'));
    return iris !== null && this.cursor.take(')') !== null ? iris : null;
  }

  #exceptOne(): Reading<string[]> {
    const iri = this.names.iri('a property');
    return iri === null ? null : [iri];
  }

  #subProperty(start: number, inverse: boolean): Reading<ast.Selector> {
    const iri = this.names.iri('a property');
    return iri === null ? null : { kind: 'sub-property', iri, inverse, ...this.#spanFrom(start) };
  }

  /** '^' ( Iri / '*' Except? / '~' Iri / '(' Selector ')' ) */
  #inverse(): Reading<ast.Selector> {
    const { start } = this.cursor.take('^')!;
    if (this.cursor.at('(')) return this.#inverted(start);
    if (this.cursor.at('*') || this.cursor.at('~')) {
      const { kind } = this.cursor.peek();
      this.cursor.index++;
      return kind === '*' ? this.#wildcard(start, true) : this.#subProperty(start, true);
    }
    const iri = this.names.iri('a property');
    return iri === null ? null : { kind: 'property', iri, inverse: true, ...this.#spanFrom(start) };
  }

  #inverted(start: number): Reading<ast.Selector> {
    const group = this.#group();
    if (group === null) return null;
    const obstacle = uninvertible(group.selector);
    if (obstacle === null) return { kind: 'inverted', selector: group.selector, ...this.#spanFrom(start) };
    const message = `"^" can not turn round ${obstacle.kind === 'call' ? 'a function' : `a ${obstacle.kind}`} step`;
    throw this.cursor.source.error('parse-error', message, obstacle.start);
  }

  #group(): Reading<ast.Group> {
    const { start } = this.cursor.peek();
    this.cursor.index++;
    const selector = this.selector();
    if (selector === null || this.cursor.take(')') === null) return null;
    return { kind: 'group', selector, ...this.#spanFrom(start) };
  }

  #selectorCall(): Reading<ast.Call> {
    const call = this.#call(selectorFunctions, 'is a test function, and can only stand in a test');
    return call === null ? null : { kind: 'call', ...call };
  }

  // --- tests ---

  #testTail(first: ast.Test): ast.Test {
    const operator = this.#binaryOperator();
    if (operator === null) return first;
    const operands = this.#operands(
      first,
      operator,
      () => this.#unary(),
      (operand) => this.#testTail(operand),
    );
    if (operands.length === 1) return first;
    return { kind: operator === '|' ? 'or' : 'and', operands, ...this.#spanFrom(first.start) };
  }

  /** Unary <- '!' '(' Test ')' &Follow / '!' Test / Basic */
  #unary(): Reading<ast.Test> {
    if (!this.cursor.at('!')) return this.#basicTest();
    const { start } = this.cursor.peek();
    const test = this.#after('!', () => this.#attempt(() => this.#testGroup()) ?? this.test());
    return test === null ? null : { kind: 'not', test, ...this.#spanFrom(start) };
  }

  #basicTest(): Reading<ast.Test> {
    switch (this.cursor.peek().kind) {
      case '@':
        return this.#attempt(() => this.#languageTest());
      case '^^':
        return this.#attempt(() => this.#datatypeTest());
      case 'is-a':
        return this.#attempt(() => this.#isA());
      default:
        return this.#pathTest();
    }
  }

  /** The order is that of the grammar, and matters (1.8). */
  #pathTest(): Reading<ast.Test> {
    return (
      this.#attempt(() => this.#is()) ??
      this.#attempt(() => this.#callTest()) ??
      this.#attempt(() => this.#testGroup()) ??
      this.#attempt(() => this.#exists())
    );
  }

  #languageTest(): Reading<ast.Test> {
    const { start } = this.cursor.take('@')!;
    const tag = this.names.languageTag();
    if (tag === null) return null;
    const range = this.cursor.at('*');
    if (range) this.cursor.index++;
    return { kind: 'language', tag, range, ...this.#spanFrom(start) };
  }

  #datatypeTest(): Reading<ast.Test> {
    const { start } = this.cursor.take('^^')!;
    const iri = this.names.iri('a datatype');
    return iri === null ? null : { kind: 'datatype', iri, ...this.#spanFrom(start) };
  }

  #isA(): Reading<ast.Test> {
    const { start } = this.cursor.take('is-a')!;
    const term = this.#node();
    return term === null ? null : { kind: 'is-a', term, ...this.#spanFrom(start) };
  }

  #is(): Reading<ast.Test> {
    if (this.#cannotBeIs()) return null;
    const { start } = this.cursor.peek();
    const selector = this.selector();
    const operator = this.cursor.index;
    if (selector === null || this.cursor.take('is', '"is"') === null) return null;
    const term = this.#node();
    if (term !== null && this.#follows()) return { kind: 'is', selector, term, ...this.#spanFrom(start) };
    this.#failedIs.add(operator);
    return null;
  }

  /** Known without reading the selector again, which would take quadratic time over a long run of operands. */
  #cannotBeIs(): boolean {
    const end = this.#selectorEnds.get(this.cursor.index);
    return end !== undefined && (this.cursor.tokens[end]!.kind !== 'is' || this.#failedIs.has(end));
  }

  #callTest(): Reading<ast.Test> {
    if (!this.cursor.at('fn:')) return null;
    const { start } = this.cursor.peek();
    const call = this.#call(testFunctions, '');
    if (call === null || !this.#follows()) return null;
    return { kind: 'test-call', ...call, ...this.#spanFrom(start) };
  }

  #testGroup(): Reading<ast.Test> {
    if (!this.cursor.at('(')) return null;
    const { start } = this.cursor.peek();
    this.cursor.index++;
    const test = this.test();
    if (test === null || this.cursor.take(')') === null || !this.#follows()) return null;
    return { kind: 'test-group', test, ...this.#spanFrom(start) };
  }

  #exists(): Reading<ast.Test> {
    const { start } = this.cursor.peek();
    const path = this.#path();
    return path === null || !this.#follows() ? null : { kind: 'exists', path, ...this.#spanFrom(start) };
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

  // --- what both share ---

  #call(known: ReadonlyMap<string, unknown>, otherwise: string): Reading<Omit<ast.Call, 'kind'>> {
    const { start } = this.cursor.take('fn:')!;
    const { value: name } = this.cursor.peek();
    if (!this.cursor.at('name')) return this.cursor.expect('a function name');
    if (!known.has(name)) return this.#unknownFunction(name, otherwise);
    this.cursor.index++;
    const args = this.#callArguments();
    return args === null ? null : { name, arguments: args, ...this.#spanFrom(start) };
  }

  /** Fails the reading when the other registry knows the name; another reading may fit. */
  #unknownFunction(name: string, otherwise: string): null {
    if (selectorFunctions.has(name) || testFunctions.has(name)) {
      return otherwise === '' ? null : this.cursor.complain('unknown-function', `fn:${name} ${otherwise}`);
    }
    const hint = didYouMean(name, [...selectorFunctions.keys(), ...testFunctions.keys()]);
    const at = this.cursor.peek().start;
    throw this.cursor.source.error('unknown-function', `There is no function fn:${name}${hint}`, at);
  }

  #callArguments(): Reading<ast.Selector[]> {
    if (this.cursor.take('(') === null) return null;
    if (this.cursor.take(')') !== null) return [];
    const args = this.#separated(',', () => this.selector());
    return args !== null && this.cursor.take(')') !== null ? args : null;
  }

  #separated<T>(separator: TokenKind, item: () => Reading<T>): Reading<T[]> {
    const items: T[] = [];
    do {
      const one = item();
      if (one === null) return null;
      items.push(one);
    } while (this.cursor.take(separator) !== null);
    return items;
  }

  #binaryOperator(): '|' | '&' | null {
    const { kind } = this.cursor.peek();
    if (kind === '|' || kind === '&') return kind;
    this.cursor.expect('"|"');
    return this.cursor.expect('"&"');
  }

  /** A run of one operator; where the operator changes, the rest nests into the last operand (1.7). */
  #operands<T>(first: T, operator: '|' | '&', next: () => Reading<T>, tail: (operand: T) => T): T[] {
    const operands = [first];
    while (this.cursor.at(operator)) {
      const operand = this.#after(operator, next);
      if (operand === null) return operands;
      if (this.cursor.at(operator === '|' ? '&' : '|')) {
        operands.push(this.#nested(() => tail(operand)));
        return operands;
      }
      operands.push(operand);
    }
    return operands;
  }

  #after<T>(kind: TokenKind, read: () => Reading<T>): Reading<T> {
    return this.#attempt(() => (this.cursor.take(kind) === null ? null : read()));
  }

  #attempt<T>(read: () => Reading<T>): Reading<T> {
    const start = this.cursor.index;
    const result = read();
    if (result === null) this.cursor.index = start;
    return result;
  }

  #remembered<T>(memory: Map<number, Remembered<T>>, read: () => Reading<T>): Reading<T> {
    const start = this.cursor.index;
    let found = memory.get(start);
    if (found === undefined) {
      const result = this.#nested(read);
      found = { result, next: result === null ? start : this.cursor.index };
      memory.set(start, found);
    }
    this.cursor.index = found.next;
    return found.result;
  }

  #nested<T>(read: () => T): T {
    if (++this.#depth > MAX_NESTING * LEVELS_A_BRACKET) this.#tooDeep('Nested too deeply');
    const result = read();
    this.#depth--;
    return result;
  }

  #tooDeep(message: string): never {
    throw this.cursor.source.error('parse-error', message, this.cursor.peek().start);
  }

  #spanFrom(start: number): ast.Span {
    return { start, end: this.cursor.lastEnd() };
  }
}

/** A bracket enters `selector` or `test`, and then `path`. */
const LEVELS_A_BRACKET = 2;

interface Remembered<T> {
  readonly result: Reading<T>;
  readonly next: number;
}

const followers: ReadonlySet<TokenKind> = new Set(['&', '|', ']', ')', ';', 'end']);

/** The part of a selector that has no inverse (8.2), or null. */
function uninvertible(selector: ast.Selector): ast.Selector | null {
  switch (selector.kind) {
    case 'filtered':
    case 'call':
    case 'constant':
      return selector;
    case 'path':
      return firstObstacle(selector.steps);
    case 'union':
    case 'intersection':
      return firstObstacle(selector.operands);
    case 'group':
    case 'closure':
    case 'bounded':
      return uninvertible(selector.selector);
    default:
      return null;
  }
}

function firstObstacle(selectors: readonly ast.Selector[]): ast.Selector | null {
  for (const selector of selectors) {
    const obstacle = uninvertible(selector);
    if (obstacle !== null) return obstacle;
  }
  return null;
}
