/** Text with markup in it, which need not be well-formed (ldpath 5.9). */

/** Without what looks like a tag: `<` up to the next `>` that stands in no quotes. Takes linear time. */
export function removeTags(text: string): string {
  const kept: string[] = [];
  const seen = new Uint8Array(text.length);
  let from = 0;
  for (let start = text.indexOf('<'); start >= 0; ) {
    const end = tagEnd(text, start, seen);
    if (end >= 0) {
      kept.push(text.slice(from, start));
      from = end;
    }
    start = text.indexOf('<', end >= 0 ? end : start + 1);
  }
  kept.push(text.slice(from));
  return kept.join('');
}

/**
 * The offset after the tag; -1 for none. `seen` marks offsets outside quotes from which no end was found before: a
 * search that comes to one of them finds none either.
 */
function tagEnd(text: string, start: number, seen: Uint8Array): number {
  for (let i = start + 1; i < text.length; i++) {
    if (seen[i] === 1) return -1;
    seen[i] = 1;
    const character = text[i];
    if (character === '>') return i + 1;
    if (character !== '"' && character !== "'") continue;
    i = text.indexOf(character, i + 1);
    if (i < 0) return -1;
  }
  return -1;
}

const named: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

/** Resolves the five entities of XML and numeric references to characters, once. */
export function xmlUnescape(text: string): string {
  return text.replace(
    /&(?:(lt|gt|amp|quot|apos)|#(\d{1,10})|#x([\dA-Fa-f]{1,8}));/g,
    (reference, name?: string, decimal?: string, hexadecimal?: string) => {
      if (name !== undefined) return named[name]!;
      const code = decimal === undefined ? Number.parseInt(hexadecimal!, 16) : Number(decimal);
      return isXmlCharacter(code) ? String.fromCodePoint(code) : reference;
    },
  );
}

function isXmlCharacter(code: number): boolean {
  if (code < 0x20) return code === 0x9 || code === 0xa || code === 0xd;
  return code <= 0xd7ff || (code >= 0xe000 && code <= 0xfffd) || (code >= 0x10000 && code <= 0x10ffff);
}
