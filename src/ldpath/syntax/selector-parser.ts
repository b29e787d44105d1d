/**
 * Parses selectors by recursive descent over the grammar of ldpath 1.8 with the extensions of 8.2.
 * A subclass parses tests.
 */

import { uninvertible } from '../compile/invertible.ts';
import { selectorFunctions, testFunctions } from '../functions/catalog.ts';
import type * as ast from './ast.ts';
import { BacktrackingParser, type Reading, type Remembered } from './backtracking-parser.ts';
import type { SourceText } from './source-text.ts';
import { didYouMean } from './suggestion.ts';
import { testStarts } from './token-context.ts';

/** Maximum number of postfix operators on one step. */
const MAX_POSTFIXES = 20;

export abstract class SelectorParser extends BacktrackingParser {
  readonly #testStarts: readonly boolean[];
  readonly #selectors = new Map<number, Remembered<ast.Selector>>();
  readonly #paths = new Map<number, Remembered<ast.Selector>>();
  /**
   * For each operand of a union or intersection, by its first token: the end of a selector that
   * starts there.
   */
  protected readonly selectorEnds = new Map<number, number>();

  constructor(source: SourceText, prefixes: Readonly<Record<string, string>>) {
    super(source, prefixes);
    this.#testStarts = testStarts(this.cursor.tokens);
  }

  abstract test(): Reading<ast.Test>;

  /** Selector <- PathSel ( ( '|' / '&' ) Selector )? */
  selector(): Reading<ast.Selector> {
    return this.remembered(this.#selectors, () => {
      const first = this.path();
      return first === null ? null : this.#setTail(first);
    });
  }

  #setTail(first: ast.Selector): ast.Selector {
    const operator = this.binaryOperator();
    if (operator === null) return first;
    const starts: number[] = [];
    const operands = this.operands(
      first,
      operator,
      () => {
        starts.push(this.cursor.index);
        return this.path();
      },
      (operand) => this.#setTail(operand),
    );
    for (const start of starts) this.selectorEnds.set(start, this.cursor.index);
    if (operands.length === 1) return first;
    const kind = operator === '|' ? 'union' : 'intersection';
    return { kind, operands, ...this.spanFrom(first.start) };
  }

  /** PathSel <- Step ( '/' PathSel )? */
  protected path(): Reading<ast.Selector> {
    return this.remembered(this.#paths, () => {
      const first = this.#step();
      if (first === null) return null;
      const steps = [first];
      for (;;) {
        const step = this.after('/', () => this.#step());
        if (step === null) break;
        steps.push(step);
      }
      return steps.length === 1 ? first : { kind: 'path', steps, ...this.spanFrom(first.start) };
    });
  }

  /** Step <- Atom Postfix* */
  #step(): Reading<ast.Selector> {
    let step = this.#atom();
    for (let count = 0; step !== null; count++) {
      const postfixed = this.#postfix(step);
      if (postfixed === null) return step;
      if (count === MAX_POSTFIXES) this.tooDeep('Too many postfix operators on one step');
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
        return { kind: 'closure', selector, reflexive, ...this.spanFrom(selector.start) };
      }
      case '?':
        this.cursor.index++;
        return { kind: 'bounded', selector, min: 0, max: 1, ...this.spanFrom(selector.start) };
      case '{':
        return this.attempt(() => this.#bounded(selector));
      default:
        return this.cursor.expect('a postfix operator');
    }
  }

  #filtered(selector: ast.Selector): Reading<ast.Selector> {
    const tests: ast.Test[] = [];
    for (;;) {
      const test = this.attempt(() => this.#bracketedTest());
      if (test === null) break;
      tests.push(test);
    }
    return tests.length === 0
      ? null
      : { kind: 'filtered', selector, tests, ...this.spanFrom(selector.start) };
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
      throw this.cursor.source.error('parse-error', `The range {${from},${to}} is empty`, open.start);
    }
    return { kind: 'bounded', selector, min: from, max: to, ...this.spanFrom(selector.start) };
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
        return { kind: 'self', ...this.spanFrom(start) };
      case '*':
        this.cursor.index++;
        return this.#wildcard(start, false);
      case '!':
        return this.#negatedProperty();
      case '~':
        this.cursor.index++;
        return this.#subProperty(start, false);
      case '^':
        return this.attempt(() => this.#inverse());
      case 'fn:':
        return this.attempt(() => this.#selectorCall());
      case '(':
        return this.attempt(() => this.#group());
      default:
        return this.#constantOrProperty();
    }
  }

  #constantOrProperty(): Reading<ast.Selector> {
    const { kind, start } = this.cursor.peek();
    const namesProperty = kind === 'iri' || kind === ':' || this.cursor.peek(1).kind === ':';
    const term = namesProperty ? null : this.names.literal();
    if (term !== null) return { kind: 'constant', term, ...this.spanFrom(start) };
    const iri = this.names.iri('a property');
    return iri === null
      ? this.cursor.expect('a selector')
      : { kind: 'property', iri, inverse: false, ...this.spanFrom(start) };
  }

  #wildcard(start: number, inverse: boolean): ast.Selector {
    const except = this.after('!', () => (this.cursor.at('(') ? this.#exceptList() : null)) ?? [];
    return { kind: 'wildcard', inverse, except, ...this.spanFrom(start) };
  }

  /** `!p` and `!(p | q)`, where a test can't start. */
  #negatedProperty(): Reading<ast.Selector> {
    if (this.#testStarts[this.cursor.index]) return this.cursor.expect('a selector');
    const { start } = this.cursor.peek();
    const except = this.after('!', () => (this.cursor.at('(') ? this.#exceptList() : this.#exceptOne()));
    return except === null ? null : { kind: 'wildcard', inverse: false, except, ...this.spanFrom(start) };
  }

  /** '(' ExItem ( '|' ExItem )* ')' */
  #exceptList(): Reading<string[]> {
    this.cursor.index++;
    const iris = this.separated('|', () => this.names.iri('a property'));
    return iris !== null && this.cursor.take(')') !== null ? iris : null;
  }

  #exceptOne(): Reading<string[]> {
    const iri = this.names.iri('a property');
    return iri === null ? null : [iri];
  }

  #subProperty(start: number, inverse: boolean): Reading<ast.Selector> {
    const iri = this.names.iri('a property');
    return iri === null ? null : { kind: 'sub-property', iri, inverse, ...this.spanFrom(start) };
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
    return iri === null ? null : { kind: 'property', iri, inverse: true, ...this.spanFrom(start) };
  }

  #inverted(start: number): Reading<ast.Selector> {
    const group = this.#group();
    if (group === null) return null;
    const obstacle = uninvertible(group.selector);
    if (obstacle === null) return { kind: 'inverted', selector: group.selector, ...this.spanFrom(start) };
    const message = `"^" can't invert ${obstacle.kind === 'call' ? 'a function' : `a ${obstacle.kind}`} step`;
    throw this.cursor.source.error('parse-error', message, obstacle.start);
  }

  #group(): Reading<ast.Group> {
    const { start } = this.cursor.peek();
    this.cursor.index++;
    const selector = this.selector();
    if (selector === null || this.cursor.take(')') === null) return null;
    return { kind: 'group', selector, ...this.spanFrom(start) };
  }

  #selectorCall(): Reading<ast.Call> {
    const call = this.call(selectorFunctions, 'is a test function, which is only allowed in a test');
    return call === null ? null : { kind: 'call', ...call };
  }

  protected call(known: ReadonlyMap<string, unknown>, otherwise: string): Reading<Omit<ast.Call, 'kind'>> {
    const { start } = this.cursor.take('fn:')!;
    const { value: name } = this.cursor.peek();
    if (!this.cursor.at('name')) return this.cursor.expect('a function name');
    if (!known.has(name)) return this.#unknownFunction(name, otherwise);
    this.cursor.index++;
    const args = this.#callArguments();
    return args === null ? null : { name, arguments: args, ...this.spanFrom(start) };
  }

  /** Fails the reading if the other registry has the name; another reading may fit. */
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
    const args = this.separated(',', () => this.selector());
    return args !== null && this.cursor.take(')') !== null ? args : null;
  }
}
