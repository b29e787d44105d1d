/** Functions for text with markup, which need not be well-formed (ldpath 5.9). */

/**
 * Removes everything that looks like a tag: `<` up to the next `>` outside of quotes. Takes linear
 * time.
 */
export function removeTags(text: string): string {
  if (!text.includes('<')) return text;
  const ends = tagEnds(text);
  const kept: string[] = [];
  let from = 0;
  for (let start = text.indexOf('<'); start >= 0; ) {
    const end = ends[start + 1]!;
    if (end > 0) {
      kept.push(text.slice(from, start));
      from = end;
    }
    start = text.indexOf('<', end > 0 ? end : start + 1);
  }
  kept.push(text.slice(from));
  return kept.join('');
}

/**
 * Returns, for each offset, the end of a tag that continues there outside of quotes, or 0 if there
 * is none. A quote counts as an ordinary character if its closing quote is missing, or if no tag
 * could end after that.
 */
function tagEnds(text: string): Uint32Array {
  const ends = new Uint32Array(text.length + 1);
  const next: Record<string, number> = {};
  for (let i = text.length - 1; i >= 0; i--) {
    const character = text[i]!;
    ends[i] = character === '>' ? i + 1 : ends[i + 1]!;
    if (character !== '"' && character !== "'") continue;
    const close = next[character];
    if (close !== undefined) ends[i] = ends[close + 1]! || ends[i]!;
    next[character] = i;
  }
  return ends;
}

const named: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

/** Resolves the five entities of XML and numeric references to characters, once. */
export function xmlUnescape(text: string): string {
  return text.replace(
    /&(?:(lt|gt|amp|quot|apos)|#(\d{1,10})|#[xX]([\dA-Fa-f]{1,8}));/g,
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
