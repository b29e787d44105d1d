import { setImmediate as turn } from 'node:timers/promises';
import { failure, type Result } from '../../errors.ts';
import { computedVariables } from './computed-variables.ts';
import { positionIn } from './text-position.ts';
import type { SparqlToken } from './token.ts';
import { sparqlTokens, tokensOf } from './tokens.ts';

export type QueryForm = 'select' | 'ask' | 'construct' | 'describe';

/** Properties of a text that its tokens show, whether or not the text is valid SPARQL. */
export interface QueryFacts {
  readonly form: QueryForm | 'update';
  /**
   * Whether two evaluations on the same data may differ, because the query uses the time, random
   * numbers or new names.
   */
  readonly isVolatile: boolean;
  /**
   * For `SELECT *`: the variables in the order of their first occurrence, including those that it
   * does not return.
   */
  readonly order: readonly string[] | undefined;
  /** Variables with computed values, see `computedVariables`. */
  readonly computed: ReadonlySet<string>;
  /** Whether it names its graphs (FROM, FROM NAMED). */
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

/** The number of tokens that can be read within a millisecond. */
const TURN_TOKENS = 2_000;

/**
 * Returns only the form, from the tokens up to the keyword that states it. It yields to the event
 * loop regularly, because a text may have hundreds of thousands of declarations. Error
 * `parse-error` as below.
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

/** Error `parse-error` if the text begins neither as a query nor as an update. */
export function queryFacts(text: string): Result<QueryFacts> {
  const written = sparqlTokens(text);
  const source = withoutCodePointEscapes(text);
  const unescaped = source === text ? written : sparqlTokens(source);
  // Oxigraph accepts escapes only in strings and IRIs, so they can hide nothing else in a text that
  // it accepts.
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

/** `first`: the token in place of the form; undefined at the end of the text. */
function notSparql(text: string, first: SparqlToken | undefined, offset: number): Result<never> {
  const what = first ? `'${first.text.slice(0, 40)}'` : 'the end of the text';
  const message = `Expected SELECT, ASK, CONSTRUCT, DESCRIBE or an update instead of ${what}.`;
  return failure('parse-error', message.toWellFormed(), positionIn(text, offset));
}

/** The declarations `BASE <iri>`, `PREFIX name: <iri>` and `VERSION "1.2"`. */
class Prologue {
  /** The number of tokens left in the current declaration. */
  #left = 0;

  /** Must be called for each token in turn, until it returns false. */
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

/** Returns the words in upper case. */
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

/** SPARQL decodes `\u0041` and `\U00000041` everywhere in a text, before any other rule. */
function withoutCodePointEscapes(text: string): string {
  return /\\[uU]/.test(text) ? text.replace(codePointEscape, characterOf) : text;
}

function characterOf(written: string, short?: string, long?: string): string {
  const code = Number.parseInt(short ?? long ?? '', 16);
  return code <= 0x10ffff ? String.fromCodePoint(code) : written;
}

/** Converts an offset in a text without escapes to one in the text with escapes. */
function writtenOffset(text: string, offset: number): number {
  let written = offset;
  for (const match of text.matchAll(codePointEscape)) {
    if (match.index >= written) break;
    const [found, short, long] = match;
    written += found.length - characterOf(found, short, long).length;
  }
  return written;
}
