/** The keywords and functions of SPARQL 1.2 Query and Update, and Oxigraph's extensions. */
const keywords: ReadonlySet<string> = new Set(
  `ABS ADD ADJUST ALL AS ASC ASK AVG BASE BIND BNODE BOUND BY CEIL CLEAR COALESCE CONCAT CONSTRUCT
  CONTAINS COPY COUNT CREATE DATA DATATYPE DAY DEFAULT DELETE DESC DESCRIBE DISTINCT DROP
  ENCODE_FOR_URI EXISTS FALSE FILTER FLOOR FROM GRAPH GROUP GROUP_CONCAT HASLANG HASLANGDIR HAVING
  HOURS IF IN INSERT INTO IRI ISBLANK ISIRI ISLITERAL ISNUMERIC ISTRIPLE ISURI LANG LANGDIR
  LANGMATCHES LATERAL LCASE LIMIT LOAD MAX MD5 MIN MINUS MINUTES MONTH MOVE NAMED NOT NOW OBJECT
  OFFSET OPTIONAL ORDER PREDICATE PREFIX RAND REDUCED REGEX REPLACE ROUND SAMETERM SAMPLE SECONDS
  SELECT SEPARATOR SERVICE SHA1 SHA256 SHA384 SHA512 SILENT STR STRAFTER STRBEFORE STRDT STRENDS
  STRLANG STRLANGDIR STRLEN STRSTARTS STRUUID SUBJECT SUBSTR SUM TIMEZONE TO TRIPLE TRUE TZ UCASE
  UNDEF UNION URI USING UUID VALUES VERSION WHERE WITH YEAR`.split(/\s+/),
);
const LONGEST = 14;

const number = /[0-9]+(?:[eE][0-9]+)?/y;

/**
 * Returns the end of the first of several keywords and numbers in a word without white space, as in
 * `ASKFROM`. SPARQL's grammar matches the longest terminal, and needs white space only between two
 * terminals that would otherwise match as one. Returns the end of the word if it consists of
 * anything else.
 */
export function endOfFirstKeyword(source: string, start: number, end: number): number {
  if (isKeyword(source.slice(start, end))) return end;
  let first: number | undefined;
  for (let at = start; at < end; ) {
    const next = endOfNumber(source, at) ?? endOfKeyword(source, at, end);
    if (next === undefined) return end;
    first ??= next;
    at = next;
  }
  return first ?? end;
}

/** Returns the end of the longest keyword at `start`. */
export function endOfKeyword(source: string, start: number, end: number): number | undefined {
  for (let at = Math.min(end, start + LONGEST); at > start; at--) {
    if (isKeyword(source.slice(start, at))) return at;
  }
  return undefined;
}

function isKeyword(word: string): boolean {
  // Only the verb `a` is case-sensitive.
  return word === 'a' || keywords.has(word.toUpperCase());
}

function endOfNumber(source: string, start: number): number | undefined {
  number.lastIndex = start;
  return number.test(source) ? number.lastIndex : undefined;
}
