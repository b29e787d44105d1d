const SHOWN = 200;

/** Character sets, which help few readers. */
const characterSets = /\['?[\s\S]*?'?\](?=, |$)(?:, )?/g;

/** Tokens of SPARQL 1.2, and Oxigraph's extensions. */
const unusableMarks: ReadonlySet<string> = new Set(['{|', '|}', '~', '<<', '>>', '<<(', ')>>']);
const unusableWords = /\b(?:LATERAL|SERVICE|ADJUST|SEP)\b/;

/**
 * Describes a syntax error, from Oxigraph's list of what it expected at a position: marks in
 * quotation marks, keywords, and sentences for rules that reject something. Keywords are left out:
 * for a long keyword, Oxigraph reports the position of its end, so the keywords listed are those of
 * a matching length and not those that are allowed there.
 */
export function syntaxMessage(expected: string): string {
  const alternatives = expected
    .replace(characterSets, '')
    .replace(/^expected(?: one of)?/, '')
    .replace(/[\s,]+$/, '')
    .trim()
    .split(', ');
  const sentences = alternatives.filter((each) => each.includes(' ') && !unusableWords.test(each));
  if (sentences.length > 0) return shown(sentences.join('; ').replace(/\.$/, ''));
  const marks = alternatives.filter((each) => isMark(each));
  if (marks.length === 0) return 'something else is expected here';
  return shown(`expected ${marks.length > 1 ? 'one of ' : ''}${marks.join(' ')}`);
}

function isMark(alternative: string): boolean {
  const [, mark] = /^"([^A-Za-z]*)"$/.exec(alternative) ?? [];
  return mark !== undefined && !unusableMarks.has(mark);
}

function shown(message: string): string {
  return message.length <= SHOWN ? message : `${message.slice(0, SHOWN)}…`;
}
