import type { SparqlToken } from '../token.ts';
import { tokensOf } from '../tokens.ts';
import { syntaxError } from './syntax-error.ts';

/** Escapes of characters, which SPARQL 1.1 (19.2) allows everywhere in a text. */
const escapes = /\\(?:u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8})/;
const everyEscape = new RegExp(escapes, 'g');
const surrogate = /\\(?:u|U0000)[Dd][89A-Fa-f]/;

/** Escapes of the delimiters below, and perhaps of others: most texts have none of them. */
const mayDelimit = /\\(?:u|U0000)00(?:[01][0-9A-Fa-f]|2[0237]|3[CcEe]|5[CcEe]|60|7[B-Db-d])/;

// biome-ignore lint/suspicious/noControlCharactersInRegex: an IRI can not contain these
const notInIri = /[\u0000-\u0020<>"{}|^`\\]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: a name can not contain these
const notInName = /[\u0000-\u0020<>"'#{}|^`\\]/;

/**
 * Decodes `\u0041` and the like, before any other rule. Error `parse-error` for escapes
 * - that do not encode a character,
 * - that make another escape: the parser would decode that too, and report wrong positions,
 * - that would end the IRI, string or name they are in. By the letter of SPARQL 1.1,
 *   `DROP GRAPH <urn:a\u003E#b>` drops `<urn:a>`, but Turtle has taught writers that such an escape
 *   is harmless.
 */
export function withoutEscapes(source: string): string {
  if (!source.includes('\\')) return source;
  if (mayDelimit.test(source)) rejectDelimiters(source);
  const text = decoded(source);
  const next = text.search(escapes);
  if (next >= 0) throw syntaxError('An escape can not make another one', text, next);
  return text;
}

function decoded(source: string): string {
  const text = source.replace(everyEscape, (written, offset: number) => {
    const character = decodedOne(written);
    if (character !== undefined) return character;
    throw syntaxError(`The escape ${written} does not encode a character`, source, offset);
  });
  if (text.isWellFormed()) return text;
  throw syntaxError(
    'An escape such as \\uD800 does not encode a character',
    source,
    source.search(surrogate),
  );
}

/** Returns undefined for a number beyond Unicode. */
function decodedOne(written: string): string | undefined {
  const code = Number.parseInt(written.slice(2), 16);
  return code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
}

function rejectDelimiters(source: string): void {
  // With a letter in place of its backslash, an escape is an ordinary part of each kind of token.
  const masked = source.replace(everyEscape, (written) => `x${written.slice(1)}`);
  for (const token of tokensOf(masked)) {
    const forbidden = forbiddenIn(token);
    const written = source.slice(token.start, token.start + token.text.length);
    for (const { 0: sequence, index } of written.matchAll(everyEscape)) {
      if (!forbidden.test(decodedOne(sequence) ?? '')) continue;
      throw syntaxError(
        `The escape ${sequence} is not allowed here: it delimits`,
        source,
        token.start + index,
      );
    }
  }
}

/** Returns a pattern of the characters that can not be part of a token. */
function forbiddenIn({ kind, text }: SparqlToken): RegExp {
  if (kind === 'iri') return notInIri;
  if (kind !== 'string') return notInName;
  const quote = text[0]!;
  return text.startsWith(quote.repeat(3)) && text.length >= 6
    ? new RegExp(`[${quote}\\\\]`)
    : new RegExp(`[${quote}\\\\\r\n]`);
}
