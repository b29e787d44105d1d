import type { SparqlToken } from './token.ts';

type Inside = 'pattern' | 'list' | 'expression' | 'clauses';

/**
 * Tracks the open brackets while the tokens of a text are read. They determine where `<` can only
 * be an operator: within the parentheses of an expression, after a complete operand.
 */
export class Brackets {
  readonly #open: Inside[] = [];
  #last: SparqlToken | undefined;
  #beforeLast: SparqlToken | undefined;

  /** Whether the next `<` is a comparison operator. */
  get comparesNext(): boolean {
    return this.#inside === 'expression' && this.#last !== undefined && isOperand(this.#last);
  }

  take(token: SparqlToken): void {
    const { kind, text } = token;
    if (kind === 'symbol') this.#takeSymbol(text);
    // After its patterns, a sub-query may have expressions, like the query itself.
    else if (kind === 'word' && text.toUpperCase() === 'SELECT') this.#begin('clauses');
    this.#beforeLast = this.#last;
    this.#last = token;
  }

  get #inside(): Inside {
    return this.#open.at(-1) ?? 'clauses';
  }

  #takeSymbol(text: string): void {
    if (text === '{') this.#open.push('pattern');
    else if (text === '(') this.#open.push(this.#beginsExpression() ? 'expression' : 'list');
    else if (text === '}' || text === ')') this.#open.pop();
  }

  #begin(inside: Inside): void {
    if (this.#inside === 'pattern') this.#open[this.#open.length - 1] = inside;
  }

  /** Otherwise it begins a list, a path, a row of VALUES, or a triple `<<( … )>>`. */
  #beginsExpression(): boolean {
    if (this.#last?.text === '<' && this.#beforeLast?.text === '<') return false;
    const inside = this.#inside;
    if (inside !== 'pattern') return inside !== 'list';
    if (this.#last?.kind === 'word') return this.#last.text !== 'a';
    const isName = this.#last?.kind === 'iri' || this.#last?.kind === 'name';
    return isName && this.#beforeLast?.text.toUpperCase() === 'FILTER';
  }
}

const operands: ReadonlySet<SparqlToken['kind']> = new Set([
  'iri',
  'name',
  'variable',
  'label',
  'string',
  'number',
  'language',
]);

function isOperand({ kind, text }: SparqlToken): boolean {
  return operands.has(kind) || text === ')' || text === '}' || /^(?:true|false)$/i.test(text);
}
