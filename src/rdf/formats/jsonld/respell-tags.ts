import { BACKSLASH, COLON, endOfString, QUOTE, skipSpace } from '../../../base/json/bytes.ts';
import { tagStart } from '../../model/language/tag-case.ts';
import type { QuadBlock } from '../../model/quad-block.ts';
import { jsonAt } from './find-contexts.ts';

/** Before the direction of a text. */
const DASHES = '--';
/** Length of an escape such as `\u0041`. */
const ESCAPED = 6;
/** Other letters exist whose lower case is an ASCII letter, such as U+212A (Kelvin). */
const isTag = /^[A-Za-z0-9-]+$/;

/** How a document writes a language tag. */
interface Spelling {
  /** The first value of `@language`. */
  stated?: string;
  /** Among other strings; null if they differ. */
  other?: string | null;
}

/**
 * Gives the language tags of a block the case that they have in the document: the parser returns
 * them in lower case. A tag is the value of `@language`, or the key of a language map. Which
 * objects are language maps, and which keys mean `@language`, is not worked out here: if other
 * strings write the tag differently, it stays in lower case.
 */
export function respellTags(block: QuadBlock, document: Uint8Array): void {
  const spellings = new Map<string, Spelling>();
  forEachTag(block, (tag) => {
    if (!spellings.has(tag)) spellings.set(tag, {});
  });
  if (spellings.size === 0) return;
  collect(document, spellings);
  forEachTag(block, (tag, at) => {
    const { stated, other } = spellings.get(tag)!;
    const text = stated ?? other ?? tag;
    for (let i = 0; i < text.length; i++) block.termBytes[at + i] = text.charCodeAt(i);
  });
}

/** Calls `use` with the language tag of each term that has one, and its offset. */
function forEachTag({ termBytes, termOffsets }: QuadBlock, use: (tag: string, at: number) => void): void {
  const buffer = Buffer.from(termBytes.buffer, termBytes.byteOffset, termBytes.length);
  for (let i = 0; i + 1 < termOffsets.length; i++) {
    const end = termOffsets[i + 1]!;
    const at = tagStart(buffer, termOffsets[i]!, end);
    if (at < end) use(buffer.toString('latin1', at, end).split(DASHES, 1)[0]!, at);
  }
}

/** Finds strings of a JSON document that are tags. */
function collect(document: Uint8Array, spellings: ReadonlyMap<string, Spelling>): void {
  const buffer = Buffer.from(document.buffer, document.byteOffset, document.length);
  const lengths = new Set([LANGUAGE, ...spellings.keys()].map(({ length }) => length));
  const longest = ESCAPED * Math.max(...lengths);
  let valueAt = -1;
  for (let start = nextQuote(buffer, 0); start >= 0; ) {
    const end = endOfString(buffer, start);
    const length = end - start - 2;
    if (lengths.has(length) || (length <= longest && hasEscape(buffer, start, end))) {
      const text = String(jsonAt(buffer, { start, end }));
      const spelling = isTag.test(text) ? spellings.get(text.toLowerCase()) : undefined;
      if (spelling) note(spelling, text, start === valueAt);
      else if (text === LANGUAGE) valueAt = valueOfKey(buffer, end);
    }
    start = nextQuote(buffer, end);
  }
}

/** Faster than `indexOf` for few bytes. */
function nextQuote(document: Uint8Array, from: number): number {
  for (let at = from; at < document.length; at++) if (document[at] === QUOTE) return at;
  return -1;
}

function hasEscape(document: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (document[at] === BACKSLASH) return true;
  return false;
}

/** Returns the offset of the value of a key that ends at `end`; -1 if the string is no key. */
function valueOfKey(document: Uint8Array, end: number): number {
  const colon = skipSpace(document, end);
  return document[colon] === COLON ? skipSpace(document, colon + 1) : -1;
}

const LANGUAGE = '@language';

function note(spelling: Spelling, text: string, isStated: boolean): void {
  if (isStated) spelling.stated ??= text;
  else if (spelling.other === undefined) spelling.other = text;
  else if (spelling.other !== text) spelling.other = null;
}
