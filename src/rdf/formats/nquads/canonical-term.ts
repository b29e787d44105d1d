import { iriError } from '../../model/iri.ts';
import { formatLiteral, RDF_DIR_LANG_STRING, RDF_LANG_STRING, XSD_STRING } from '../../model/term.ts';

export type CanonicalTerm =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly error: string };

/**
 * Returns the canonical form of an IRI or literal in N-Triples syntax. Only the contents are
 * examined; the caller must know that quotes and brackets match. IRIs that are `stored` are not
 * checked.
 */
export function canonicalTerm(text: string, stored = false): CanonicalTerm {
  return text.startsWith('<') ? canonicalIri(text, stored) : canonicalLiteral(text, stored);
}

function canonicalIri(text: string, stored: boolean): CanonicalTerm {
  const value = undoEscapes(text.slice(1, -1), false);
  if (value === undefined) return { ok: false, error: 'Malformed escape in an IRI' };
  const error = stored ? undefined : iriError(value);
  return error === undefined ? { ok: true, text: `<${value}>` } : { ok: false, error };
}

function canonicalLiteral(text: string, stored: boolean): CanonicalTerm {
  const close = text.lastIndexOf('"');
  const value = undoEscapes(text.slice(1, close), true);
  if (value === undefined) return { ok: false, error: 'Malformed escape in a string' };
  const suffix = text.slice(close + 1).trimStart();
  if (!suffix.startsWith('^^')) {
    return { ok: true, text: formatLiteral(value, XSD_STRING, suffix.slice(1)) };
  }
  const datatype = canonicalIri(suffix.slice(2).trimStart(), stored);
  if (!datatype.ok) return datatype;
  const iri = datatype.text.slice(1, -1);
  const error = datatypeError(iri);
  return error === undefined ? { ok: true, text: formatLiteral(value, iri, '') } : { ok: false, error };
}

/** Datatypes of language-tagged strings cannot be written as datatypes. */
export function datatypeError(iri: string): string | undefined {
  return iri === RDF_LANG_STRING || iri === RDF_DIR_LANG_STRING
    ? `A literal with datatype <${iri}> needs a language tag`
    : undefined;
}

const escapes: Readonly<Record<string, string>> = {
  b: '\b',
  t: '\t',
  n: '\n',
  f: '\f',
  r: '\r',
  '"': '"',
  "'": "'",
  '\\': '\\',
};

/**
 * Replaces the escapes of N-Triples; returns undefined if one is malformed. `short`: also those of
 * one letter.
 */
export function undoEscapes(text: string, short: boolean): string | undefined {
  let malformed = false;
  const result = text.replace(
    /\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|(.?))/gs,
    (_all, four?: string, eight?: string, letter?: string) => {
      const digits = four ?? eight;
      const character =
        digits !== undefined
          ? scalar(Number.parseInt(digits, 16))
          : short
            ? escapes[letter ?? '']
            : undefined;
      if (character === undefined) malformed = true;
      return character ?? '';
    },
  );
  return malformed ? undefined : result;
}

/**
 * Returns the character of a Unicode scalar value; undefined for surrogates and for numbers beyond
 * Unicode.
 */
function scalar(codePoint: number): string | undefined {
  const surrogate = codePoint >= 0xd800 && codePoint <= 0xdfff;
  return surrogate || codePoint > 0x10ffff ? undefined : String.fromCodePoint(codePoint);
}
