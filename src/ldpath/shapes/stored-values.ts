/** Writes lists of the graph's terms as plain JSON values, optimised for speed. */

import { copyWide } from '../../base/bytes/wide-copy.ts';
import type { TermBytes } from '../../rdf/model/path-graph.ts';
import type { TermId } from '../../rdf/model/term-id.ts';
import type { EvaluationContext } from '../evaluate/context.ts';
import type { ResultWriter } from '../evaluate/result-writer.ts';
import { AT_ONCE, recorded, recordTerms } from '../evaluate/term-group.ts';
import { BOOLEAN, DATE, INSTANT, NUMBER, valueClassOf } from './datatypes.ts';
import { endOfDigits, isShortNumber } from './digits.ts';
import { isJsonNumber } from './plain-json.ts';
import { INTEGERS, STRINGS, UNDATED, type ValueMode } from './value-mode.ts';

/** Upper bound for the bytes of a value in addition to those of its term: quotes and a comma. */
const FRAME = 8;
/** What the functions below return for a value that must be written one by one. */
const NOT_WRITTEN = -1;

const { starts, ends, firsts, lasts } = recorded;

/**
 * Appends the values of all ids from `bottom` on, separated by commas; returns false, without
 * writing, if they must be written one by one.
 */
export function writeStoredValues(
  { graph: { terms }, stack }: EvaluationContext,
  bottom: number,
  mode: ValueMode,
  out: ResultWriter,
): boolean {
  const before = out.length;
  for (let from = bottom; from < stack.length; from += AT_ONCE) {
    if (from > bottom) out.byte(COMMA);
    if (!writeGroup(terms, stack, from, mode, out)) {
      out.length = before;
      return false;
    }
  }
  return true;
}

// biome-ignore lint/complexity/useMaxParams: an object for each list would cost time
function writeGroup(
  terms: TermBytes,
  ids: readonly TermId[],
  from: number,
  mode: ValueMode,
  out: ResultWriter,
): boolean {
  const count = recordTerms(terms, ids, from, FRAME, out);
  if (count === 0) return false;
  const { bytes } = terms;
  const source = out.viewOfSource(bytes);
  const target = out.view;
  let at = out.length;
  for (let i = 0; i < count; i++) {
    if (i > 0) target.setUint8(at++, COMMA);
    at = writeValue(bytes, source, i, mode, target, at);
    if (at === NOT_WRITTEN) return false;
  }
  out.length = at;
  return true;
}

/** Writes one of the recorded terms; returns the end offset. */
// biome-ignore lint/complexity/useMaxParams: an object for source and target would cost time
function writeValue(
  bytes: Uint8Array,
  source: DataView,
  i: number,
  mode: ValueMode,
  target: DataView,
  at: number,
): number {
  const start = starts[i]!;
  const end = ends[i]!;
  if (mode === INTEGERS) return writeInteger(bytes, source, start, target, at);
  switch (firsts[i]) {
    case LESS_THAN:
      return writeQuoted(source, start + 1, end - 1, target, at);
    case UNDERSCORE:
      return mode === STRINGS ? NOT_WRITTEN : writeQuoted(source, start, end, target, at);
  }
  if (lasts[i] === QUOTE) {
    copyWide(source, start, end, target, at);
    return at + end - start;
  }
  // The last quote ends the value.
  let close = end - 1;
  while (bytes[close] !== QUOTE) close--;
  if (mode !== STRINGS && lasts[i] === GREATER_THAN) {
    switch (valueClassOf(bytes, close + 4, end - 1)) {
      case NUMBER:
        if (!isJsonNumber(bytes, start + 1, close)) break;
        copyWide(source, start + 1, close, target, at);
        return at + close - start - 1;
      case BOOLEAN:
        return NOT_WRITTEN;
      case INSTANT:
      case DATE:
        if (mode === UNDATED) return NOT_WRITTEN;
    }
  }
  copyWide(source, start, close + 1, target, at);
  return at + close + 1 - start;
}

/** Writes a short canonical integer. */
// biome-ignore lint/complexity/useMaxParams: an object for source and target would cost time
function writeInteger(
  bytes: Uint8Array,
  source: DataView,
  start: number,
  target: DataView,
  at: number,
): number {
  if (bytes[start] !== QUOTE) return NOT_WRITTEN;
  const close = endOfDigits(bytes, start + 1);
  if (!isShortNumber(bytes, start + 1, close)) return NOT_WRITTEN;
  copyWide(source, start + 1, close, target, at);
  return at + close - start - 1;
}

// biome-ignore lint/complexity/useMaxParams: an object for source and target would cost time
function writeQuoted(source: DataView, from: number, to: number, target: DataView, at: number): number {
  target.setUint8(at, QUOTE);
  copyWide(source, from, to, target, at + 1);
  const end = at + 1 + to - from;
  target.setUint8(end, QUOTE);
  return end + 1;
}

const COMMA = 0x2c;
const QUOTE = 0x22;
const LESS_THAN = 0x3c;
const GREATER_THAN = 0x3e;
const UNDERSCORE = 0x5f;
