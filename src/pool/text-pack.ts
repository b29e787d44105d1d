/** Many texts as one text and their ends in it: handing over two values is cheaper than handing over thousands. */
export interface TextPack {
  readonly text: string;
  readonly ends: Uint32Array;
}

export function packTexts(texts: readonly string[]): TextPack {
  const ends = new Uint32Array(texts.length);
  let end = 0;
  for (let i = 0; i < texts.length; i++) {
    end += texts[i]!.length;
    ends[i] = end;
  }
  return { text: texts.join(''), ends };
}

/** The text at a place. */
export function unpackText({ text, ends }: TextPack, index: number): string {
  return text.slice(index === 0 ? 0 : ends[index - 1], ends[index]);
}
