import { setImmediate as turn } from 'node:timers/promises';
import { failure, type Result } from '../../errors.ts';
import { computedVariables } from './computed-variables.ts';
import { positionIn } from './text-position.ts';
import type { SparqlToken } from './token.ts';
import { sparqlTokens, tokensOf } from './tokens.ts';

export type QueryForm = 'select' | 'ask' | 'construct' | 'describe';

/** What the tokens of a text say of it, whether or not the rest of it is SPARQL. */
export interface QueryFacts {
  readonly form: QueryForm | 'update';
  /**
   * Whether two evaluations on the same data may differ: it asks for the time, for random
   * numbers, or for new names.
   */
  readonly isVolatile: boolean;
  /**
   * Of `SELECT *`: the variables in the order in which they are first written, those that it does
   * not give as well.
   */
  readonly order: readonly string[] | undefined;
  /** Variables whose values are worked out, see `computedVariables`. */
  readonly computed: ReadonlySet<string>;
  /** Whether it names the graphs that it is asked of (FROM, FROM NAMED). */
  readonly hasFrom: boolean;
  readonly hasService: boolean;
}

const forms: ReadonlyMap<string, QueryFacts['form']> = new Map([
  ['SELECT', 'select'],
  ['ASK', 'ask'],
  ['CONSTRUCT', 'construct'],
  ['DESCRIBE', 'describe'],
  ...['INSERT', 'DELETE', 'WITH', 'LOAD', 'CLEAR', 'DROP', 'CREATE', 'ADD', 'MOVE', 'COPY'].map(
    (word) => [word, 'update'] as const,
  ),
]);

const volatileNames: ReadonlySet<string> = new Set(['NOW', 'RAND', 'UUID', 'STRUUID', 'BNODE']);

/** Tokens that take a millisecond at most. */
const TURN_TOKENS = 2_000;

/**
 * The form alone, by the tokens up to the word that says it. Others have their turns meanwhile,
 * since a text may have hundreds of thousands of declarations. Error `parse-error` as below.
 */
export async function queryForm(text: string): Promise<Result<QueryFacts['form']>> {
  const prologue = new Prologue();
  let count = 0;
  for (const token of tokensOf(text)) {
    if (++count % TURN_TOKENS === 0) await turn();
    if (prologue.has(token)) continue;
    const form = formOf(token);
    return form === undefined ? notSparql(text, token, token.start) : { ok: true, value: form };
  }
  return notSparql(text, undefined, text.length);
}

/** Error `parse-error`: it begins neither as a query nor as an update. */
export function queryFacts(text: string): Result<QueryFacts> {
  const written = sparqlTokens(text);
  const source = withoutCodePointEscapes(text);
  const unescaped = source === text ? written : sparqlTokens(source);
  // Oxigraph takes escapes in strings and IRIs only, so they hide nothing else in what it takes.
  const tokens = formAt(written) ? written : unescaped;
  const begin = afterPrologue(tokens);
  const form = formAt(tokens, begin);
  if (form === undefined) {
    const offset = writtenOffset(text, tokens[begin]?.start ?? source.length);
    return notSparql(text, tokens[begin], offset);
  }
  const words = wordsOf(tokens);
  const isVolatile = usesVolatile(words) || (tokens !== unescaped && usesVolatile(wordsOf(unescaped)));
  const order = form === 'select' && selectsAll(tokens, begin) ? variablesOf(tokens) : undefined;
  return {
    ok: true,
    value: {
      form,
      isVolatile,
      order,
      computed: computedVariables(tokens),
      hasFrom: words.has('FROM'),
      hasService: words.has('SERVICE'),
    },
  };
}

function formAt(tokens: readonly SparqlToken[], at = afterPrologue(tokens)): QueryFacts['form'] | undefined {
  return formOf(tokens[at]);
}

function formOf(token: SparqlToken | undefined): QueryFacts['form'] | undefined {
  return token?.kind === 'word' ? forms.get(token.text.toUpperCase()) : undefined;
}

/** `first`: what stands where the form should be said; undefined for nothing. */
function notSparql(text: string, first: SparqlToken | undefined, offset: number): Result<never> {
  const what = first ? `'${first.text.slice(0, 40)}'` : 'the end of the text';
  const message = `Expected SELECT, ASK, CONSTRUCT, DESCRIBE or an update instead of ${what}.`;
  return failure('parse-error', message.toWellFormed(), positionIn(text, offset));
}

/** The declarations: `BASE <iri>`, `PREFIX name: <iri>`, `VERSION "1.2"`. */
class Prologue {
  /** Tokens of the last declaration that are still to come. */
  #left = 0;

  /** To be asked of each token in turn, until one is no part of it. */
  has({ kind, text }: SparqlToken): boolean {
    if (this.#left > 0) {
      this.#left--;
      return true;
    }
    const word = kind === 'word' ? text.toUpperCase() : '';
    this.#left = word === 'PREFIX' ? 2 : word === 'BASE' || word === 'VERSION' ? 1 : 0;
    return this.#left > 0;
  }
}

function afterPrologue(tokens: readonly SparqlToken[]): number {
  const prologue = new Prologue();
  const at = tokens.findIndex((token) => !prologue.has(token));
  return at === -1 ? tokens.length : at;
}

/** In capitals. */
function wordsOf(tokens: readonly SparqlToken[]): Set<string> {
  const words = new Set<string>();
  for (const { kind, text } of tokens) if (kind === 'word') words.add(text.toUpperCase());
  return words;
}

function usesVolatile(words: ReadonlySet<string>): boolean {
  for (const name of volatileNames) if (words.has(name)) return true;
  return false;
}

function selectsAll(tokens: readonly SparqlToken[], begin: number): boolean {
  const next = tokens[begin + 1];
  const isModified = next?.kind === 'word' && /^(?:DISTINCT|REDUCED)$/i.test(next.text);
  return tokens[begin + (isModified ? 2 : 1)]?.text === '*';
}

function variablesOf(tokens: readonly SparqlToken[]): string[] {
  const names = new Set<string>();
  for (const { kind, text } of tokens) if (kind === 'variable') names.add(text.slice(1));
  return [...names];
}

const codePointEscape = /\\u([0-9A-Fa-f]{4})|\\U([0-9A-Fa-f]{8})/g;

/** SPARQL reads `\u0041` and `\U00000041` as characters wherever they stand, before all else. */
function withoutCodePointEscapes(text: string): string {
  return /\\[uU]/.test(text) ? text.replace(codePointEscape, characterOf) : text;
}

function characterOf(written: string, short?: string, long?: string): string {
  const code = Number.parseInt(short ?? long ?? '', 16);
  return code <= 0x10ffff ? String.fromCodePoint(code) : written;
}

/** The offset in a text with escapes, by that in the same text without them. */
function writtenOffset(text: string, offset: number): number {
  let written = offset;
  for (const match of text.matchAll(codePointEscape)) {
    if (match.index >= written) break;
    const [found, short, long] = match;
    written += found.length - characterOf(found, short, long).length;
  }
  return written;
}
