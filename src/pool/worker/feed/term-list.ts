import type { TermList } from '../../../snapshot/dictionary/overlay.ts';
import { shareOrCopy } from '../transfer.ts';

/** Packs terms for other threads. */
export function packTerms(texts: readonly string[]): TermList {
  const ends = new Uint32Array(texts.length + 1);
  for (const [i, text] of texts.entries()) ends[i + 1] = ends[i]! + Buffer.byteLength(text);
  const bytes = Buffer.alloc(ends.at(-1)!);
  for (const [i, text] of texts.entries()) bytes.write(text, ends[i]!);
  return { count: texts.length, bytes: shareOrCopy(bytes), ends: shareOrCopy(ends) };
}

/** Returns the text of a term, by its place in the list. */
export function termAt({ bytes, ends }: TermList, index: number): string {
  const { buffer, byteOffset, length } = bytes;
  return Buffer.from(buffer, byteOffset, length).toString('utf8', ends[index]!, ends[index + 1]!);
}
