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
  /** Where each replacement starts in the edited text. */
  readonly #starts: readonly number[];

  constructor(original: Uint8Array, edits: readonly Edit[]) {
    this.#edits = edits;
    this.#starts = newStarts(edits);
    this.bytes = edits.length === 0 ? original : edited(original, edits);
  }

  /** Returns the offset in the original; of what is new, the start of what it replaces. */
  originalOffset(offset: number): number {
    const index = this.#lastEditBefore(offset);
    if (index < 0) return offset;
    const { start, end, replacement } = this.#edits[index]!;
    const last = this.#starts[index]! + replacement.length - 1;
    return offset < last ? start : end - 1 + (offset - last);
  }

  /** Returns the last edit whose replacement starts at or before an offset; -1 without one. */
  #lastEditBefore(offset: number): number {
    let low = 0;
    let high = this.#starts.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#starts[middle]! <= offset) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }
}

function newStarts(edits: readonly Edit[]): number[] {
  let shift = 0;
  return edits.map(({ start, end, replacement }) => {
    const newStart = start + shift;
    shift += replacement.length - (end - start);
    return newStart;
  });
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
