import { type ErrorData, failure, type Result } from '../../errors.ts';
import { endOf, isWord, type Splice, spliced } from './corrections/splice.ts';
import { Prefixes } from './prefixes.ts';
import { positionIn } from './text-position.ts';
import type { SparqlToken } from './token.ts';
import { sparqlTokens } from './tokens.ts';

/** A text whose names can be read only in the way that SPARQL defines. */
export interface WholeNames {
  readonly text: string;
  /** The first rewritten name; undefined if there is none. */
  readonly first: SparqlToken | undefined;
}

/** Keywords that affect which data a query sees, or whether its result may be cached. */
const hidden = /from|named|graph|service|(?:now|rand|uuid|bnode)$/i;
const mayHide = /from|named|graph|service|now|rand|uuid|bnode/i;
/** Oxigraph ends a name at the second dot. */
const dotted = /\.[^.]+\./;

/**
 * SPARQL matches the longest terminal: `FROMex:g` is one name. Oxigraph instead tries its rules one
 * after another, and reads FROM and `ex:g` if that is the only way to parse the text. This function
 * writes names that may hide such keywords as IRIs. Error `parse-error` if the prefix of one is not
 * declared.
 */
export function withWholeNames(text: string, baseIri: string): Result<WholeNames> {
  if (!mayHide.test(text) && !dotted.test(text)) return { ok: true, value: { text, first: undefined } };
  const tokens = sparqlTokens(text);
  const prefixes = new Prefixes(baseIri);
  const splices: Splice[] = [];
  let first: SparqlToken | undefined;
  for (const [at, token] of tokens.entries()) {
    prefixes.read(tokens, at);
    if (!isAmbiguous(token) || isWord(tokens[at - 1], 'PREFIX')) continue;
    const iri = prefixes.iri(token);
    if (iri === undefined) return { ok: false, error: undeclared(text, token) };
    first ??= token;
    splices.push({ start: token.start, end: endOf(token), text: `<${iri}>` });
  }
  return { ok: true, value: { text: spliced(text, splices), first } };
}

function isAmbiguous({ kind, text }: SparqlToken): boolean {
  return kind === 'name' && (hidden.test(text) || dotted.test(text.slice(text.indexOf(':'))));
}

function undeclared(text: string, { text: name, start }: SparqlToken): ErrorData {
  const prefix = name.slice(0, name.indexOf(':') + 1);
  const message = `The text is not valid SPARQL 1.1: the prefix '${shown(prefix)}' is not declared.`;
  return failure('parse-error', message, positionIn(text, start)).error;
}

/** The error for a text that is valid only if this name is read as a keyword and another name. */
export function misreadName(text: string, { text: name, start }: SparqlToken): ErrorData {
  const message = `The text is not valid SPARQL 1.1: '${shown(name)}' is one name. A keyword must be followed by white space.`;
  return failure('parse-error', message, positionIn(text, start)).error;
}

function shown(name: string): string {
  return name.length <= 40 ? name : `${name.slice(0, 40)}…`;
}
