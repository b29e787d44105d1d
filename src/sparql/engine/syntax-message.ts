const SHOWN = 200;

/** Sets of characters, which say little to people. */
const characterSets = /\['?[\s\S]*?'?\](?=, |$)(?:, )?/g;

/** Of SPARQL 1.2, or Oxigraph's own. */
const unusableMarks: ReadonlySet<string> = new Set(['{|', '|}', '~', '<<', '>>', '<<(', ')>>']);
const unusableWords = /\b(?:LATERAL|SERVICE|ADJUST|SEP)\b/;

/**
 * What is wrong with a text, out of what Oxigraph says that it expected at a place: marks in
 * quotation marks, keywords, and sentences for what its rules refuse. Keywords are left out. Of a
 * long one the place is where it would end, so they are those that fit by their length, and not
 * those that may stand there.
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
