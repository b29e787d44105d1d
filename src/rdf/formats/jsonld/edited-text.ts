/** Bytes that take the place of a range of a text. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly replacement: Uint8Array;
}

/** A text with edits, which are sorted and do not overlap. */
export class EditedText {
  readonly bytes: Uint8Array;
  readonly #edits: readonly Edit[];

  constructor(original: Uint8Array, edits: readonly Edit[]) {
    this.#edits = edits;
    this.bytes = edits.length === 0 ? original : edited(original, edits);
  }

  /** Returns the offset in the original; of what is new, the start of what it replaces. */
  originalOffset(offset: number): number {
    let shift = 0;
    for (const { start, end, replacement } of this.#edits) {
      if (offset < start + shift) break;
      const last = start + shift + replacement.length - 1;
      if (offset < last) return start;
      if (offset === last) return end - 1;
      shift += replacement.length - (end - start);
    }
    return offset - shift;
  }
}

function edited(original: Uint8Array, edits: readonly Edit[]): Uint8Array {
  const pieces: Uint8Array[] = [];
  let copied = 0;
  for (const { start, end, replacement } of edits) {
    pieces.push(original.subarray(copied, start), replacement);
    copied = end;
  }
  return Buffer.concat([...pieces, original.subarray(copied)]);
}
