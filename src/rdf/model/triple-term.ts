/**
 * Triple terms (RDF 1.2) in canonical form: `<<( s p o )>>`, with single spaces. Only the object
 * can be another triple term, so what is between the brackets is a flat list of IRIs, blank nodes
 * and literals, at any depth. Their language tags are in lower case, so that two triple terms are
 * equal if their bytes are.
 */

/** The deepest nesting: a bound for what reads triple terms recursively, such as Oxigraph. */
export const MAX_TRIPLE_DEPTH = 100;

const OPEN = '<<(';
const CLOSE = ')>>';
const LESS = 0x3c;
const SPACE = 0x20;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const UNDERSCORE = 0x5f;

/** Whether a text in canonical form is a triple term. */
export function isTripleTerm(text: string): boolean {
  return text.startsWith(OPEN);
}

/** Whether a term in canonical form is an IRI. */
export function isIriTerm(text: string): boolean {
  return text.startsWith('<') && !isTripleTerm(text);
}

/** Whether the term in canonical form that begins at an offset is an IRI. */
export function isIriAt(bytes: Uint8Array, start: number): boolean {
  return bytes[start] === LESS && bytes[start + 1] !== LESS;
}

/** Whether the term in canonical form that begins at an offset is a triple term. */
export function isTripleTermAt(bytes: Uint8Array, start: number): boolean {
  return bytes[start] === LESS && bytes[start + 1] === LESS;
}

/** Whether the triple term `bytes[start .. end)` contains blank nodes. */
export function hasInnerBlankNodes(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    if (bytes[at] !== SPACE) continue;
    if (bytes[at + 1] === UNDERSCORE) return true;
    if (bytes[at + 1] === QUOTE) at = closingQuote(bytes, at + 2, end);
  }
  return false;
}

/** Returns the offset of the closing quote of a string. `start`: after its opening quote. */
function closingQuote(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  while (at < end && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at;
}

/** Returns the IRIs, blank nodes and literals in a triple term, in their order. */
export function innerTerms(text: string): string[] {
  return piecesOf(text).filter((piece) => piece !== OPEN && piece !== CLOSE);
}

/** Returns the triple term with each IRI, blank node and literal in it replaced. */
export function withInnerTerms(text: string, replace: (term: string) => string): string {
  return piecesOf(text)
    .map((piece) => (piece === OPEN || piece === CLOSE ? piece : replace(piece)))
    .join(' ');
}

/** Returns brackets and terms: what stands between spaces, except those in strings. */
function piecesOf(text: string): string[] {
  const pieces: string[] = [];
  for (let at = 0; at < text.length; ) {
    const from = text.charCodeAt(at) === QUOTE ? endOfString(text, at) : at;
    const space = text.indexOf(' ', from);
    const end = space < 0 ? text.length : space;
    pieces.push(text.slice(at, end));
    at = end + 1;
  }
  return pieces;
}

/** Returns the offset after the closing quote of the string that begins at an offset. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
  return at + 1;
}

/** Returns the triple term with each blank node in it replaced. */
export function withInnerBlankNodes(text: string, replace: (label: string) => string): string {
  return withInnerTerms(text, (term) => (term.startsWith('_:') ? replace(term) : term));
}

/** Whether a term in canonical form is or contains a blank node. */
export function hasBlankNode(text: string): boolean {
  if (!isTripleTerm(text)) return text.startsWith('_:');
  return innerTerms(text).some((term) => term.startsWith('_:'));
}

/** Returns the subject, the predicate and the object of a triple term. */
export function partsOfTriple(text: string): readonly [string, string, string] {
  const [subject = '', predicate = ''] = innerTerms(text);
  const before = OPEN.length + subject.length + predicate.length + 3;
  return [subject, predicate, text.slice(before, -CLOSE.length - 1)];
}

/** Returns the triple term of three terms in canonical form. */
export function tripleTerm(subject: string, predicate: string, object: string): string {
  return `${OPEN} ${subject} ${predicate} ${object} ${CLOSE}`;
}
