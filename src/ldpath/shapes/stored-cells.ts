/** Writes lists of the graph's terms as the values of a cell, optimised for speed. */

import { copyWide } from '../../base/bytes/wide-copy.ts';
import type { EvaluationContext } from '../evaluate/context.ts';
import type { ResultWriter } from '../evaluate/result-writer.ts';
import { AT_ONCE, recorded, recordTerms } from '../evaluate/term-group.ts';
import { endOfDigits, isShortNumber } from './digits.ts';
import { INTEGERS, STRINGS, type ValueMode } from './value-mode.ts';

/** What the cells of a table must treat in a special way, as bytes. */
export interface SpecialBytes {
  /** Between values. */
  readonly separator: number;
  /** Between cells that are quoted if they contain it; undefined if they are never quoted. */
  readonly comma: number | undefined;
}

/** Upper bound for the bytes of a value in addition to those of its term: a separator. */
const FRAME = 1;
/** What a value may be written as. */
const PLAIN = 0;
const WITH_COMMA = 1;
const SPECIAL = 2;

const { starts, ends, firsts, lasts } = recorded;

/** Writes the values whose bytes are those of the cell. */
export class StoredCells {
  /** Whether the last values contain a comma. */
  hasComma = false;
  readonly #separator: number;
  readonly #comma: number;
  /** The separator, the comma and the backslash, four times each. */
  readonly #separators: number;
  readonly #commas: number;

  constructor({ separator, comma = BACKSLASH }: SpecialBytes) {
    this.#separator = separator;
    this.#comma = comma;
    this.#separators = fourTimes(separator);
    this.#commas = fourTimes(comma);
  }

  /**
   * Appends the values of all ids from `bottom` on; returns false, without writing, if they must be
   * written one by one.
   */
  write(context: EvaluationContext, bottom: number, mode: ValueMode, out: ResultWriter): boolean {
    const before = out.length;
    const { length } = context.stack;
    this.hasComma = false;
    for (let from = bottom; from < length; from += AT_ONCE) {
      if (from > bottom) out.byte(this.#separator);
      if (!this.#writeGroup(context, from, mode, out)) {
        out.length = before;
        return false;
      }
    }
    return true;
  }

  #writeGroup(
    { graph: { terms }, stack }: EvaluationContext,
    from: number,
    mode: ValueMode,
    out: ResultWriter,
  ): boolean {
    const count = recordTerms(terms, stack, from, FRAME, out);
    if (count === 0) return false;
    const { bytes } = terms;
    const source = out.viewOfSource(bytes);
    const target = out.view;
    let at = out.length;
    for (let i = 0; i < count; i++) {
      if (i > 0) target.setUint8(at++, this.#separator);
      const start = textStart(bytes, i, mode);
      if (start < 0) return false;
      const end = textEnd(bytes, i);
      if (mode === INTEGERS) copyWide(source, start, end, target, at);
      else if (this.#copy(source, start, end, target, at)) {
        const found = this.#classOf(bytes, start, end);
        if (found === SPECIAL) return false;
        if (found === WITH_COMMA) this.hasComma = true;
      }
      at += end - start;
    }
    out.length = at;
    return true;
  }

  /** Copies a text; returns whether it may contain special bytes. */
  // biome-ignore lint/complexity/useMaxParams: an object for source and target would cost time
  #copy(source: DataView, from: number, to: number, target: DataView, at: number): boolean {
    const last = to - WORD;
    if (last < from) {
      copyWide(source, from, to, target, at);
      return true;
    }
    const separators = this.#separators;
    const commas = this.#commas;
    let found = 0;
    for (let i = from, j = at; i < last; i += WORD, j += WORD) {
      const word = source.getInt32(i, true);
      target.setInt32(j, word, true);
      found |= zeroBytes(word ^ separators) | zeroBytes(word ^ commas) | zeroBytes(word ^ BACKSLASHES);
    }
    const word = source.getInt32(last, true);
    target.setInt32(at + last - from, word, true);
    found |= zeroBytes(word ^ separators) | zeroBytes(word ^ commas) | zeroBytes(word ^ BACKSLASHES);
    return found !== 0;
  }

  #classOf(bytes: Uint8Array, from: number, to: number): typeof PLAIN | typeof WITH_COMMA | typeof SPECIAL {
    let hasComma = false;
    for (let i = from; i < to; i++) {
      const byte = bytes[i]!;
      if (byte === BACKSLASH || byte === this.#separator) return SPECIAL;
      if (byte === this.#comma) hasComma = true;
    }
    return hasComma ? WITH_COMMA : PLAIN;
  }
}

/**
 * Returns where the text of one of the recorded terms begins; negative if its bytes do not suffice
 * for its conversion.
 */
function textStart(bytes: Uint8Array, i: number, mode: ValueMode): number {
  const start = starts[i]!;
  if (mode === INTEGERS) {
    const isShort = firsts[i] === QUOTE && isShortNumber(bytes, start + 1, endOfDigits(bytes, start + 1));
    return isShort ? start + 1 : -1;
  }
  if (firsts[i] !== UNDERSCORE) return start + 1;
  return mode === STRINGS ? -1 : start;
}

/** The last quote ends the text of a literal. */
function textEnd(bytes: Uint8Array, i: number): number {
  let end = ends[i]!;
  if (firsts[i] === UNDERSCORE) return end;
  end--;
  if (firsts[i] === LESS_THAN || lasts[i] === QUOTE) return end;
  while (bytes[end] !== QUOTE) end--;
  return end;
}

/** Sets the highest bit of every byte that is zero, and perhaps others if there is one. */
function zeroBytes(word: number): number {
  return (word - 0x01010101) & ~word & 0x80808080;
}

function fourTimes(byte: number): number {
  return Math.imul(byte, 0x01010101);
}

const WORD = 4;
const QUOTE = 0x22;
const LESS_THAN = 0x3c;
const BACKSLASH = 0x5c;
const BACKSLASHES = fourTimes(BACKSLASH);
const UNDERSCORE = 0x5f;
