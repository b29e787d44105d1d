import type { SparqlToken } from '../token.ts';
import { tokensOf } from '../tokens.ts';
import { syntaxError } from './syntax-error.ts';

const oneEscape = /\\(?:u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8})/;
/** Also matches other backslashes with the character after them, so that `\\u0041` is no escape. */
const escapesAndPairs = new RegExp(`${oneEscape.source}|\\\\[^]`, 'g');
const surrogate = /\\(?:u|U0000)[Dd][89A-Fa-f]/;

// biome-ignore lint/suspicious/noControlCharactersInRegex: an IRI cannot contain these
const notInIri = /[\u0000-\u0020<>"{}|^`\\]/;
const inNames = /[\p{L}\p{M}\p{N}_.:-]/u;

/** Characters that a string contains only as another kind of escape. */
const writtenInStrings: Readonly<Record<string, string>> = {
  '"': '\\"',
  "'": "\\'",
  '\\': '\\\\',
  '\n': '\\n',
  '\r': '\\r',
};

/**
 * Decodes `\u0041` and the like within each token, as Oxigraph does in queries. SPARQL 1.1 (19.2)
 * would decode the whole text first, so that `DROP GRAPH <urn:a\u003E#b>` drops `<urn:a>`. Errors:
 * `parse-error` for escapes that do not encode a character, and for characters that the token cannot
 * contain.
 */
export function withoutEscapes(source: string): string {
  if (!oneEscape.test(source)) return source;
  let text = '';
  let end = 0;
  for (const token of tokensOf(masked(source))) {
    const written = source.slice(token.start, token.start + token.text.length);
    if (!oneEscape.test(written)) continue;
    text += source.slice(end, token.start) + new TokenDecoder(token, source).decode(written);
    end = token.start + written.length;
  }
  text += source.slice(end);
  if (text.isWellFormed()) return text;
  throw notACharacter('\\uD800', source, source.search(surrogate));
}

/** With a letter in place of its backslash, an escape is an ordinary part of each kind of token. */
function masked(source: string): string {
  return source.replace(escapesAndPairs, (written) =>
    oneEscape.test(written) ? `x${written.slice(1)}` : written,
  );
}

class TokenDecoder {
  readonly #kind: SparqlToken['kind'];
  readonly #start: number;
  readonly #source: string;

  constructor({ kind, start }: SparqlToken, source: string) {
    this.#kind = kind;
    this.#start = start;
    this.#source = source;
  }

  decode(written: string): string {
    return written.replace(escapesAndPairs, (sequence, offset: number) =>
      oneEscape.test(sequence) ? this.#character(sequence, this.#start + offset) : sequence,
    );
  }

  #character(sequence: string, offset: number): string {
    const code = Number.parseInt(sequence.slice(2), 16);
    if (code > 0x10ffff) throw notACharacter(sequence, this.#source, offset);
    const character = String.fromCodePoint(code);
    if (this.#kind === 'string') return writtenInStrings[character] ?? character;
    const isAllowed = this.#kind === 'iri' ? !notInIri.test(character) : inNames.test(character);
    if (isAllowed) return character;
    const place = this.#kind === 'iri' ? 'An IRI' : 'A name';
    throw syntaxError(`${place} cannot contain the character ${sequence}`, this.#source, offset);
  }
}

function notACharacter(sequence: string, source: string, offset: number): Error {
  return syntaxError(`An escape such as ${sequence} does not encode a character`, source, offset);
}
